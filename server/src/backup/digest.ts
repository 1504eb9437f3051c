import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';

/** Passes bytes through unchanged and computes their SHA-256. */
export class DigestStream extends Transform {
  readonly #hash = createHash('sha256');

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#hash.update(chunk);
    done(null, chunk);
  }

  /** Hexadecimal digest of the bytes so far. */
  sha256(): string {
    return this.#hash.copy().digest('hex');
  }
}
