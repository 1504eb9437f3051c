import { ByteChunk } from './byte-buffer.ts';

const ZERO = 48;
const NINE = 57;

/** A chunk that contains the current row number. For the next row mostly one digit changes in place. */
export class RowNumberChunk {
  chunk = new ByteChunk('');
  readonly #head: string;
  readonly #tail: string;
  #bytes: Uint8Array = new Uint8Array();
  #row = Number.NaN;
  /** Offset of the last digit. */
  #last = 0;

  /** @param head must be ASCII, because offsets count its characters as bytes */
  constructor(head: string, tail: string) {
    this.#head = head;
    this.#tail = tail;
  }

  set(row: number): void {
    if (row !== this.#row + 1 || !this.#countUp()) this.#make(row);
    this.#row = row;
  }

  /** Returns false if the number needs one more digit. */
  #countUp(): boolean {
    const bytes = this.#bytes;
    let at = this.#last;
    for (; bytes[at] === NINE; at -= 1) bytes[at] = ZERO;
    if (at < this.#head.length) return false;
    bytes[at] = (bytes[at] ?? 0) + 1;
    return true;
  }

  #make(row: number): void {
    const opened = `${this.#head}${row}`;
    this.chunk = new ByteChunk(opened + this.#tail);
    this.#bytes = new Uint8Array(this.chunk.view.buffer);
    this.#last = opened.length - 1;
  }
}
