const FULL = 192 * 1024;
/** What is full has room for all that a portion of the source may still become. */
const SIZE = FULL + 128 * 1024;
/** Bytes that are copied at once. */
const STEP = 4;

/** Bytes that are put down again and again, in the form that is the quickest to copy: several at once. */
export class Piece {
  readonly length: number;
  readonly view: DataView;

  constructor(text: string) {
    const bytes = Buffer.from(text);
    this.length = bytes.length;
    this.view = new DataView(new ArrayBuffer(Math.ceil(bytes.length / STEP) * STEP));
    bytes.copy(new Uint8Array(this.view.buffer));
  }
}

/** Bytes on their way into a file, gathered until there are enough to be worth handing on. */
export class Out {
  bytes: Buffer = Buffer.allocUnsafeSlow(SIZE);
  at = 0;
  #view = viewOf(this.bytes);
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
    this.#use(wider);
  }

  #use(bytes: Buffer): void {
    this.bytes = bytes;
    this.#view = viewOf(bytes);
  }

  /** A text of any length; what was reserved stays reserved. */
  text(text: string): void {
    this.#need(text.length * 3 + this.#kept);
    this.at += this.bytes.write(text, this.at, 'utf8');
  }

  /** Within what is reserved, of which it may spoil a few bytes behind those that it puts down. */
  put({ view: source, length }: Piece): void {
    const view = this.#view;
    const { at } = this;
    for (let i = 0; i < length; i += STEP) view.setInt32(at + i, source.getInt32(i, true), true);
    this.at = at + length;
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

  #other: Buffer | undefined;

  /** Passes on the buffered bytes and reuses the buffer. */
  take(): Buffer {
    const { bytes, at } = this;
    this.#use(this.#other ?? Buffer.allocUnsafeSlow(SIZE));
    this.#other = bytes;
    this.at = 0;
    return bytes.subarray(0, at);
  }
}

const viewOf = ({ buffer, byteOffset, length }: Buffer): DataView => new DataView(buffer, byteOffset, length);
