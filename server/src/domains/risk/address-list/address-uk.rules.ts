import { readEverywhere } from '../../../destination/destination.ts';
import { type FileLine, makeLine } from './address-file-line.rules.ts';
import { MENTION, readMentions } from './address-sdn.rules.ts';

/** The UK Sanctions List has no field for addresses: they stand in its sentences. */
const TOKEN = /(?<![\w:@/.-])(?:[a-z]{3,12}:)?[A-Za-z0-9_-]{26,128}(?![\w@/-])/g;
/** Families whose texts are recognized among words, by a checksum or by their length. */
const FAMILIES: ReadonlySet<string> = new Set([
  'evm',
  'bitcoin',
  'bitcoincash',
  'litecoin',
  'dogecoin',
  'tron',
  'ton',
  'xrp',
  'stellar',
  'cardano',
  'monero',
  'cosmos',
  'solana',
  'substrate',
]);
/** Written like an address, whatever its checksum says: kept as its text. */
const LOOKALIKE =
  /^(?:0x[0-9a-f]{40}|(?:bc|ltc)1[0-9a-z]{25,}|T[1-9A-HJ-NP-Za-km-z]{33}|[13][1-9A-HJ-NP-Za-km-z]{25,34})$/i;

/** Whether a table is the UK Sanctions List: a line with its date, or its header. */
export const isUkRow = (cells: readonly string[]): boolean =>
  /^Report Date\b/i.test(cells[0] ?? '') || (cells.includes('Unique ID') && cells.includes('Regime Name'));

function isAddress(token: string): boolean {
  if (!/\d/.test(token) || !/[A-Za-z]/.test(token)) return false;
  return LOOKALIKE.test(token) || readEverywhere(token).some(({ family }) => FAMILIES.has(family));
}

/** @throws UnreadableFile for an address that a text mentions in the way of OFAC and that is not read */
export function readUkText(text: string, line: number): FileLine[] {
  if (text.includes(MENTION)) return readMentions(text, line);
  return [...text.matchAll(TOKEN)]
    .map(([token]) => token)
    .filter(isAddress)
    .map((address) => makeLine(line, address, { address, reason: 'UK' }));
}
