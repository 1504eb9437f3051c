import { bytesOfWords, decodeBech32, toHex } from './codec.ts';
import { type Reading, keyOwner } from './reading.ts';

const BECH32_MAX = 90;
const LENGTHS: readonly number[] = [20, 32];

/** The same bytes under another prefix are another account, of another chain. */
export function readCosmos(text: string, networkPrefix?: string): Reading | undefined {
  const read = text.length <= BECH32_MAX ? decodeBech32(text) : undefined;
  const bytes = read && !read.isBech32m ? bytesOfWords(read.words) : undefined;
  if (!read || !bytes || !LENGTHS.includes(bytes.length)) return undefined;
  const hex = toHex(bytes);
  const isForeign = networkPrefix !== undefined && read.prefix !== networkPrefix;
  return { account: `${read.prefix}:${hex}`, owners: [keyOwner(hex)], isForeign };
}
