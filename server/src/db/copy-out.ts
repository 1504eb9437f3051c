import { type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net';
import type { Connection, Submittable } from 'pg';

const COPY_DATA = 100;
/** Every message begins with its code (one byte) and its length (four bytes). */
const HEADER_BYTES = 5;
/** Maximum bytes of one read. */
const READ_BYTES = 64 * 1024;

type OnBytes = (bytes: Buffer) => void;

/**
 * A socket that reuses one read buffer. An ordinary socket allocates a buffer per read; a copy of millions of rows would
 * cause three full garbage collections per second, which pause every request.
 */
export class DirectSocket extends Socket {
  /**
   * Receives the bytes instead of the stream's readers, and must consume them before it returns, because the next read
   * overwrites them. Returns false to pause reading.
   */
  consumer: ((bytes: Buffer) => boolean) | undefined;

  constructor() {
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
    const callback = (length: number): boolean => {
      const bytes = buffer.subarray(0, length);
      return this.consumer ? this.consumer(bytes) : this.push(Buffer.from(bytes));
    };
    const options: SocketConstructorOpts & { onread: OnReadOpts } = { onread: { buffer, callback } };
    super(options);
  }
}

/**
 * The rows of `copy … to stdout`, in chunks of any size. Each row arrives as one protocol message: its header is stripped,
 * and all other messages are passed to the driver unchanged. Two buffers alternate, so a chunk is valid only until the
 * next one is requested.
 */
export class CopyOut implements Submittable, AsyncIterable<Buffer> {
  readonly #text: string;
  #stream: Connection['stream'] | undefined;
  #driver: readonly OnBytes[] = [];
  #released = false;
  /** The part of a message header received so far. */
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #headerLength = 0;
  /** Bytes of the current message that are still to come. */
  #remaining = 0;
  #isRow = false;
  #writeBuffer = Buffer.allocUnsafeSlow(2 * READ_BYTES);
  #spareBuffer = Buffer.allocUnsafeSlow(2 * READ_BYTES);
  #length = 0;
  #rows = Number.NaN;
  #isDone = false;
  #error: Error | undefined;
  #wake: () => void = () => undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Number of rows that PostgreSQL reports at the end; NaN before. */
  get rows(): number {
    return this.#rows;
  }

  /** True once PostgreSQL has completed the statement or failed. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Yields the bytes of the rows; can be iterated only once. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for (;;) {
      if (this.#error) throw this.#error;
      if (this.#length > 0) yield this.#takeChunk();
      else if (this.#isDone) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  submit(connection: Connection): void {
    const { stream } = connection;
    this.#stream = stream;
    this.#driver = stream.listeners('data') as OnBytes[];
    if (stream instanceof DirectSocket) stream.consumer = this.#parse;
    else {
      stream.removeAllListeners('data');
      stream.on('data', this.#onBytes);
    }
    connection.query(this.#text);
  }

  handleError(error: Error): void {
    this.#error = error;
    this.#end();
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#rows = Number(/^COPY (\d+)$/.exec(text)?.[1]);
  }

  handleReadyForQuery(): void {
    this.#end();
  }

  #end(): void {
    this.#isDone = true;
    this.#release();
    this.#wake();
  }

  /** Gives the stream back to the driver. */
  #release(): void {
    this.#released = true;
    const stream = this.#stream;
    if (stream instanceof DirectSocket) stream.consumer = undefined;
    else {
      stream?.removeListener('data', this.#onBytes);
      for (const onBytes of this.#driver) stream?.on('data', onBytes);
    }
    stream?.resume();
  }

  readonly #onBytes = (bytes: Buffer): void => {
    if (!this.#parse(bytes)) this.#stream?.pause();
  };

  /** Separates rows from other messages. Returns false when the buffer has no room for another read. */
  readonly #parse = (bytes: Buffer): boolean => {
    let at = 0;
    while (at < bytes.length && !this.#released) {
      if (this.#remaining === 0) at = this.#readHeader(bytes, at);
      const to = Math.min(bytes.length, at + this.#remaining);
      this.#remaining -= to - at;
      if (this.#isRow) this.#append(bytes, at, to);
      else if (to > at) this.#forward(bytes, at, to);
      at = to;
    }
    if (at < bytes.length) this.#forward(bytes, at, bytes.length);
    if (this.#length > 0) this.#wake();
    return this.#released || this.#writeBuffer.length - this.#length >= READ_BYTES;
  };

  /** Reads a message header, which may be split between two reads; returns the position after it. */
  #readHeader(bytes: Buffer, at: number): number {
    if (this.#headerLength === 0 && bytes.length - at >= HEADER_BYTES) {
      this.#beginMessage(bytes, at);
      return at + HEADER_BYTES;
    }
    const to = Math.min(bytes.length, at + HEADER_BYTES - this.#headerLength);
    this.#headerLength += bytes.copy(this.#header, this.#headerLength, at, to);
    if (this.#headerLength === HEADER_BYTES) {
      this.#headerLength = 0;
      this.#beginMessage(this.#header, 0);
    }
    return to;
  }

  #beginMessage(header: Buffer, at: number): void {
    this.#remaining = header.readUInt32BE(at + 1) - 4;
    this.#isRow = header[at] === COPY_DATA;
    if (!this.#isRow) this.#forward(header, at, at + HEADER_BYTES);
  }

  /** Passes a copy to the driver, which keeps incomplete messages beyond this call. */
  #forward(bytes: Buffer, from: number, to: number): void {
    for (const onBytes of this.#driver) onBytes(Buffer.from(bytes.subarray(from, to)));
  }

  #append(bytes: Buffer, from: number, to: number): void {
    const needed = this.#length + to - from;
    if (needed > this.#writeBuffer.length) {
      const larger = Buffer.allocUnsafeSlow(2 * needed);
      this.#writeBuffer.copy(larger, 0, 0, this.#length);
      this.#writeBuffer = larger;
    }
    this.#length += bytes.copy(this.#writeBuffer, this.#length, from, to);
  }

  #takeChunk(): Buffer {
    const chunk = this.#writeBuffer.subarray(0, this.#length);
    [this.#writeBuffer, this.#spareBuffer] = [this.#spareBuffer, this.#writeBuffer];
    this.#length = 0;
    if (!this.#released) this.#stream?.resume();
    return chunk;
  }
}
