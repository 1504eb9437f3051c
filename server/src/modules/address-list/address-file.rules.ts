import { createHash } from 'node:crypto';

/** An address of a file. */
export interface FileEntry {
  address: string;
  /** In the form in which addresses are compared. */
  key: string;
  /** Empty: every network. */
  network: string;
  reason: string;
}

const EVM = /^0x[0-9a-f]{40}$/i;
/** Lower or upper case, never mixed; the separator is the last 1. */
const BECH32 = /^(?:[a-z]{1,83}1[ac-hj-np-z02-9]{6,}|[A-Z]{1,83}1[AC-HJ-NP-Z02-9]{6,})$/;

/** The form in which addresses are compared. The case of EVM and bech32 addresses means nothing, that of all others does. */
export function addressKey(address: string): string {
  const trimmed = address.trim();
  return EVM.test(trimmed) || BECH32.test(trimmed) ? trimmed.toLowerCase() : trimmed;
}

/** How the SDN list of OFAC names addresses, in its text files and in its XML. */
const SDN = /Digital Currency Address - ([A-Z0-9]{2,10})(?:<\/idType>\s*<idNumber>|\s+)([A-Za-z0-9]{16,128})/g;

const HEADER = /^address\b/i;
const ADDRESS_MAX = 256;
const NETWORK_MAX = 32;
const REASON_MAX = 200;

/**
 * Reads a file: one address a line, `address,network,reason`, of which the last two may be missing; `#` begins a comment. A
 * file that names addresses as the SDN list does is read as that list.
 *
 * @returns different addresses in the order of the file
 * @throws Error with the line that cannot be read
 */
export function parseAddressFile(content: string): FileEntry[] {
  const sanctioned = [...content.matchAll(SDN)];
  const entries = sanctioned.length > 0 ? sanctioned.map(toSanctioned) : content.split(/\r\n|\n|\r/).flatMap(toEntries);
  return [...new Map(entries.map((entry) => [entry.key, entry])).values()];
}

const toSanctioned = ([, coin = '', address = '']: RegExpExecArray): FileEntry => ({
  address,
  key: addressKey(address),
  network: '',
  reason: `SDN ${coin}`,
});

function toEntries(text: string, index: number): FileEntry[] {
  const line = text.replace(/^\uFEFF/, '').trim();
  if (line === '' || line.startsWith('#') || (index === 0 && HEADER.test(line))) return [];
  const [first = '', second = '', ...rest] = line.split(',');
  const [address, network, reason] = [first.trim(), second.trim(), rest.join(',').trim()];
  const isValid = address !== '' && !/\s/.test(address) && address.length <= ADDRESS_MAX;
  if (!isValid || network.length > NETWORK_MAX || reason.length > REASON_MAX)
    throw new Error(`第 ${index + 1} 行无法识别：${line.slice(0, 60)}`);
  return [{ address, key: addressKey(address), network, reason }];
}

export const checksumOf = (content: string): string => createHash('sha256').update(content).digest('hex');
