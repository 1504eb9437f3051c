import { type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net';
import type { Connection, Submittable } from 'pg';

const COPY_DATA = 100;
/** Code and length, with which every message begins. */
const HEAD = 5;
/** At most so many bytes are read at once. */
const READ_BYTES = 64 * 1024;

type OnBytes = (bytes: Buffer) => void;

/**
 * A socket that reads into the same memory again and again, and whose bytes may be taken there. By itself a socket takes new
 * memory for each piece; a copy of millions of rows makes so much garbage of it that all of the heap is collected three
 * times a second, while everybody waits.
 */
export class DirectSocket extends Socket {
  /** Takes what comes instead of the stream's readers, before the next is read over it; false: nothing more for now. */
  taker: ((bytes: Buffer) => boolean) | undefined;

  constructor() {
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
    const callback = (length: number): boolean => {
      const bytes = buffer.subarray(0, length);
      return this.taker ? this.taker(bytes) : this.push(Buffer.from(bytes));
    };
    const options: SocketConstructorOpts & { onread: OnReadOpts } = { onread: { buffer, callback } };
    super(options);
  }
}

/**
 * The rows of `copy … to stdout`, in pieces of any size. Each row comes as a message; the heads of these are stepped over,
 * and what is no row goes to the driver as if nobody had looked. A piece is written over once the next is asked for: two
 * pieces of memory serve for all rows.
 */
export class CopyOut implements Submittable, AsyncIterable<Buffer> {
  readonly #text: string;
  #stream: Connection['stream'] | undefined;
  #driver: readonly OnBytes[] = [];
  #released = false;
  /** As much of a message's head as has come. */
  readonly #head = Buffer.alloc(HEAD);
  #headHas = 0;
  /** What is still to come of the message that has begun. */
  #left = 0;
  #isRow = false;
  #filling = Buffer.allocUnsafeSlow(2 * READ_BYTES);
  #spare = Buffer.allocUnsafeSlow(2 * READ_BYTES);
  #at = 0;
  #rows = Number.NaN;
  #over = false;
  #error: Error | undefined;
  #wake: () => void = () => undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** How many rows PostgreSQL says that it sent; no number before the end. */
  get rows(): number {
    return this.#rows;
  }

  /** Whether PostgreSQL has said all that it had to say. */
  get over(): boolean {
    return this.#over;
  }

  /** The rows' bytes, to be read once. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for (;;) {
      if (this.#error) throw this.#error;
      if (this.#at > 0) yield this.#handOn();
      else if (this.#over) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  submit(connection: Connection): void {
    const { stream } = connection;
    this.#stream = stream;
    this.#driver = stream.listeners('data') as OnBytes[];
    if (stream instanceof DirectSocket) stream.taker = this.#take;
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
    this.#over = true;
    this.#release();
    this.#wake();
  }

  /** Lets the driver hear for itself again. */
  #release(): void {
    this.#released = true;
    const stream = this.#stream;
    if (stream instanceof DirectSocket) stream.taker = undefined;
    else {
      stream?.removeListener('data', this.#onBytes);
      for (const onBytes of this.#driver) stream?.on('data', onBytes);
    }
    stream?.resume();
  }

  readonly #onBytes = (bytes: Buffer): void => {
    if (!this.#take(bytes)) this.#stream?.pause();
  };

  readonly #take = (bytes: Buffer): boolean => {
    let at = 0;
    while (at < bytes.length && !this.#released) {
      if (this.#left === 0) at = this.#begin(bytes, at);
      const to = Math.min(bytes.length, at + this.#left);
      this.#left -= to - at;
      if (this.#isRow) this.#gather(bytes, at, to);
      else if (to > at) this.#pass(bytes, at, to);
      at = to;
    }
    if (at < bytes.length) this.#pass(bytes, at, bytes.length);
    if (this.#at > 0) this.#wake();
    return this.#released || this.#filling.length - this.#at >= READ_BYTES;
  };

  /** Reads the head of a message, or what there is of it, and gives what stands behind. */
  #begin(bytes: Buffer, at: number): number {
    if (this.#headHas === 0 && bytes.length - at >= HEAD) {
      this.#open(bytes, at);
      return at + HEAD;
    }
    const to = Math.min(bytes.length, at + HEAD - this.#headHas);
    this.#headHas += bytes.copy(this.#head, this.#headHas, at, to);
    if (this.#headHas === HEAD) {
      this.#headHas = 0;
      this.#open(this.#head, 0);
    }
    return to;
  }

  #open(head: Buffer, at: number): void {
    this.#left = head.readUInt32BE(at + 1) - 4;
    this.#isRow = head[at] === COPY_DATA;
    if (!this.#isRow) this.#pass(head, at, at + HEAD);
  }

  /** The driver keeps what is no whole message, so it has a copy of its own. */
  #pass(bytes: Buffer, from: number, to: number): void {
    for (const onBytes of this.#driver) onBytes(Buffer.from(bytes.subarray(from, to)));
  }

  #gather(bytes: Buffer, from: number, to: number): void {
    const needed = this.#at + to - from;
    if (needed > this.#filling.length) {
      const larger = Buffer.allocUnsafeSlow(2 * needed);
      this.#filling.copy(larger, 0, 0, this.#at);
      this.#filling = larger;
    }
    this.#at += bytes.copy(this.#filling, this.#at, from, to);
  }

  #handOn(): Buffer {
    const piece = this.#filling.subarray(0, this.#at);
    [this.#filling, this.#spare] = [this.#spare, this.#filling];
    this.#at = 0;
    if (!this.#released) this.#stream?.resume();
    return piece;
  }
}
