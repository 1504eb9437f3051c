const FULL = 192 * 1024;
/** What is full has room for all that a portion of the source may still become. */
const SIZE = FULL + 128 * 1024;

/** Bytes on their way into a file, gathered until there are enough to be worth handing on. */
export class Out {
  bytes: Buffer = Buffer.allocUnsafeSlow(SIZE);
  at = 0;
  /** What must stay free behind whatever is written, for those who do not ask before each byte. */
  #kept = 0;

  /** Makes room for so many bytes, which may then be put down without asking. */
  reserve(count: number): void {
    this.#kept = count;
    this.#need(count);
  }

  #need(count: number): void {
    if (this.at + count <= this.bytes.length) return;
    const wider = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, this.at + count));
    this.bytes.copy(wider, 0, 0, this.at);
    this.bytes = wider;
  }

  /** A text of any length; what was reserved stays reserved. */
  text(text: string): void {
    this.#need(text.length * 3 + this.#kept);
    this.at += this.bytes.write(text, this.at, 'utf8');
  }

  /** Within what is reserved. */
  put(source: Uint8Array): void {
    const { bytes } = this;
    let { at } = this;
    // A loop is quicker than a call for the few bytes that stand around a value.
    for (let i = 0; i < source.length; i += 1) bytes[at++] = source[i] ?? 0;
    this.at = at;
  }

  /** Within what is reserved. */
  slice(source: Uint8Array, from: number, to: number): void {
    const { bytes } = this;
    let { at } = this;
    for (let i = from; i < to; i += 1) bytes[at++] = source[i] ?? 0;
    this.at = at;
  }

  /** Within what is reserved: bytes up to the first that the table marks. Tells where that one is. */
  copyUntil(stop: Uint8Array, source: Uint8Array, from: number): number {
    const { bytes } = this;
    let { at } = this;
    let i = from;
    // Four at once take two thirds of the time.
    for (;;) {
      const a = source[i] ?? 0;
      const b = source[i + 1] ?? 0;
      const c = source[i + 2] ?? 0;
      const d = source[i + 3] ?? 0;
      if (stop[a] === 1 || stop[b] === 1 || stop[c] === 1 || stop[d] === 1) break;
      bytes[at] = a;
      bytes[at + 1] = b;
      bytes[at + 2] = c;
      bytes[at + 3] = d;
      at += 4;
      i += 4;
    }
    for (let byte = source[i] ?? 0; stop[byte] !== 1; byte = source[i] ?? 0) {
      bytes[at++] = byte;
      i += 1;
    }
    this.at = at;
    return i;
  }

  get full(): boolean {
    return this.at >= FULL;
  }

  #spare: Buffer | undefined;

  /** Hands on what there is, and begins anew. */
  take(): Buffer {
    const taken = this.bytes.subarray(0, this.at);
    this.bytes = this.#spare ?? Buffer.allocUnsafeSlow(SIZE);
    this.#spare = undefined;
    this.at = 0;
    return taken;
  }

  /** Gives back what was handed on, once nobody reads it any more. */
  giveBack({ buffer }: Buffer): void {
    this.#spare = Buffer.from(buffer as ArrayBuffer);
  }
}
