import { type FileLine, makeLine, makeMention } from './address-file-line.rules.ts';

/** Entities of OpenSanctions that are accounts. */
const WALLET = 'CryptoWallet';
/** Columns of targets.simple.csv. */
const NEEDED = ['id', 'schema', 'name', 'identifiers'] as const;

export const isWalletHeader = (cells: readonly string[]): boolean => NEEDED.every((name) => cells.includes(name));

/** An account without an address cannot be read. */
const toMentions = (addresses: readonly string[], coin: string, line: number, id: string): FileLine[] =>
  addresses.length === 0
    ? [makeLine(line, `${WALLET} ${id}`)]
    : addresses.map((address) => makeMention(line, address.trim(), coin, 'OpenSanctions'));

export function readWalletRow(header: readonly string[], cells: readonly string[], line: number): FileLine[] {
  const cellOf = (name: string): string => cells[header.indexOf(name)] ?? '';
  if (cellOf('schema') !== WALLET) return [];
  const addresses = (cellOf('identifiers') || cellOf('name')).split(';').filter((text) => text.trim() !== '');
  return toMentions(addresses, '', line, cellOf('id'));
}

type Fields = Partial<Record<string, unknown>>;
const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string' && one !== '');

/** The accounts in an entity, which entities of targets.nested.json hold inside of others. */
export function readWallets(value: unknown, line: number): FileLine[] {
  if (!isObject(value)) return [];
  const inner = Object.values(value).flatMap((one) => readWallets(one, line));
  if (value['schema'] !== WALLET) return inner;
  const properties = isObject(value['properties']) ? value['properties'] : {};
  const coin = textsOf(properties['currency'])[0]?.toUpperCase() ?? '';
  return [...toMentions(textsOf(properties['publicKey']), coin, line, String(value['id'])), ...inner];
}
