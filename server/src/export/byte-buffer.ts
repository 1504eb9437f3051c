const FULL = 192 * 1024;
/** Leaves room for the rows of one more chunk of the source once the buffer counts as full. */
const SIZE = FULL + 128 * 1024;
/** Bytes per copy instruction. */
const STEP = 4;

/** Constant bytes that are written many times, padded so that they can be copied 32 bits at a time. */
export class ByteChunk {
  readonly length: number;
  readonly view: DataView;

  constructor(text: string) {
    const bytes = Buffer.from(text);
    this.length = bytes.length;
    this.view = new DataView(new ArrayBuffer(Math.ceil(bytes.length / STEP) * STEP));
    bytes.copy(new Uint8Array(this.view.buffer));
  }
}

/** Collects bytes for a file. Two buffers alternate, so the bytes that `take` returns survive one further fill. */
export class ByteBuffer {
  bytes: Buffer = Buffer.allocUnsafeSlow(SIZE);
  at = 0;
  #view = viewOf(this.bytes);
  /** Bytes that must stay free after the current position, for writes without a check. */
  #reserved = 0;

  /** Makes room for `count` bytes, so that `put`, `slice` and `copyUntil` need no check. */
  reserve(count: number): void {
    this.#reserved = count;
    this.#grow(count);
  }

  #grow(count: number): void {
    if (this.at + count <= this.bytes.length) return;
    const wider = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, this.at + count));
    this.bytes.copy(wider, 0, 0, this.at);
    this.#use(wider);
  }

  #use(bytes: Buffer): void {
    this.bytes = bytes;
    this.#view = viewOf(bytes);
  }

  /** Writes a text of any length; the reserved room stays free after it. */
  text(text: string): void {
    this.#grow(text.length * 3 + this.#reserved);
    this.at += this.bytes.write(text, this.at, 'utf8');
  }

  /** Writes a chunk into reserved room. Up to 3 bytes after it are overwritten with padding. */
  put({ view: source, length }: ByteChunk): void {
    const view = this.#view;
    const { at } = this;
    for (let i = 0; i < length; i += STEP) view.setInt32(at + i, source.getInt32(i, true), true);
    this.at = at + length;
  }

  /** Copies a range of bytes into reserved room. */
  slice(source: Uint8Array, from: number, to: number): void {
    const { bytes } = this;
    let { at } = this;
    for (let i = from; i < to; i += 1) bytes[at++] = source[i] ?? 0;
    this.at = at;
  }

  /** Copies bytes into reserved room up to the first one with `stop[byte] === 1`, and returns its offset. */
  copyUntil(stop: Uint8Array, source: Uint8Array, from: number): number {
    const { bytes } = this;
    let { at } = this;
    let i = from;
    // Unrolled by four: this takes two thirds of the time of a simple loop.
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

  /** Returns the collected bytes and switches to the other buffer. */
  take(): Buffer {
    const { bytes, at } = this;
    this.#use(this.#other ?? Buffer.allocUnsafeSlow(SIZE));
    this.#other = bytes;
    this.at = 0;
    return bytes.subarray(0, at);
  }
}

const viewOf = ({ buffer, byteOffset, length }: Buffer): DataView => new DataView(buffer, byteOffset, length);
