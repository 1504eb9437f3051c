import { createHash } from 'node:crypto';
import { type BytesCoder, base58, base58xrp } from '@scure/base';

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

/** An address of TRON that nobody has the key of, the same for the same word. */
export const tronAddress = (word: string): string => encode(0x41, word, base58);

/** An address of the XRP Ledger, likewise. */
export const rippleAddress = (word: string): string => encode(0, word, base58xrp);

/** Version, hash of the word and checksum. */
function encode(version: number, word: string, coder: BytesCoder): string {
  const payload = Buffer.concat([Buffer.of(version), sha256(`HengTai conformance ${word}`).subarray(0, 20)]);
  return coder.encode(Buffer.concat([payload, sha256(sha256(payload)).subarray(0, 4)]));
}
