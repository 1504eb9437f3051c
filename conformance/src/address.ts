import { createHash } from 'node:crypto';

const BITCOIN = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const RIPPLE = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz';

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

/** An address of TRON that nobody has the key of, the same for the same word. */
export const tronAddress = (word: string): string => encode(0x41, word, BITCOIN);

/** An address of the XRP Ledger, likewise. */
export const rippleAddress = (word: string): string => encode(0, word, RIPPLE);

/** Base58 of version, hash of the word and checksum. */
function encode(version: number, word: string, alphabet: string): string {
  const payload = Buffer.concat([Buffer.of(version), sha256(`HengTai conformance ${word}`).subarray(0, 20)]);
  const bytes = Buffer.concat([payload, sha256(sha256(payload)).subarray(0, 4)]);
  let text = '';
  for (let rest = BigInt(`0x${bytes.toString('hex')}`); rest > 0n; rest /= 58n)
    text = alphabet[Number(rest % 58n)] + text;
  // A leading zero byte is written as the first letter.
  return version === 0 ? alphabet[0] + text : text;
}
