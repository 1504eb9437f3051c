import { Readable } from 'node:stream';
import type { Connection, Submittable } from 'pg';

const COPY_DATA = 100;
/** Code and length, with which every message begins. */
const HEAD = 5;
/** What is handed on at once: PostgreSQL sends 8 KB at a time, and handing that on costs more than gathering it. */
const PORTION = 64 * 1024;

type OnBytes = (bytes: Buffer) => void;

/**
 * The rows of `copy … to stdout`. Each of them comes as a message; the heads of these are stepped over here, and what is no
 * row goes to the driver as if nobody had looked.
 */
export class CopyOut extends Readable implements Submittable {
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
  #portion = Buffer.allocUnsafeSlow(PORTION);
  #at = 0;
  #rows = Number.NaN;

  constructor(text: string) {
    super({ highWaterMark: 2 * PORTION });
    this.#text = text;
  }

  /** How many rows PostgreSQL says that it sent; no number before the end. */
  get rows(): number {
    return this.#rows;
  }

  submit(connection: Connection): void {
    const { stream } = connection;
    this.#stream = stream;
    this.#driver = stream.listeners('data') as OnBytes[];
    stream.removeAllListeners('data');
    stream.on('data', this.#onBytes);
    connection.query(this.#text);
  }

  override _read(): void {
    this.#stream?.resume();
  }

  handleError(error: Error): void {
    this.#release();
    this.destroy(error);
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#rows = Number(/^COPY (\d+)$/.exec(text)?.[1]);
  }

  handleReadyForQuery(): void {
    this.#handOn(0);
    this.#release();
    this.push(null);
  }

  /** Lets the driver hear for itself again. */
  #release(): void {
    this.#released = true;
    this.#stream?.removeListener('data', this.#onBytes);
    for (const onBytes of this.#driver) this.#stream?.on('data', onBytes);
    this.#stream?.resume();
  }

  readonly #onBytes = (bytes: Buffer): void => {
    let at = 0;
    while (at < bytes.length && !this.#released) {
      if (this.#left === 0) at = this.#begin(bytes, at);
      const to = Math.min(bytes.length, at + this.#left);
      this.#left -= to - at;
      if (this.#isRow) this.#gather(bytes, at, to);
      else if (to > at) this.#pass(bytes.subarray(at, to));
      at = to;
    }
    if (at < bytes.length) this.#pass(bytes.subarray(at));
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
    // The driver keeps what is no whole message.
    if (!this.#isRow) this.#pass(Buffer.from(head.subarray(at, at + HEAD)));
  }

  #pass(bytes: Buffer): void {
    for (const onBytes of this.#driver) onBytes(bytes);
  }

  #gather(bytes: Buffer, from: number, to: number): void {
    if (this.#at + to - from > this.#portion.length) this.#handOn(to - from);
    this.#at += bytes.copy(this.#portion, this.#at, from, to);
  }

  #handOn(next: number): void {
    if (this.#at > 0 && !this.push(this.#portion.subarray(0, this.#at))) this.#stream?.pause();
    this.#portion = Buffer.allocUnsafeSlow(Math.max(PORTION, next));
    this.#at = 0;
  }
}
