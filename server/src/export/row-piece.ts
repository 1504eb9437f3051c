import { Piece } from './out.ts';

const ZERO = 48;
const NINE = 57;

/** A piece with the number of a row in it, which goes up by one from row to row: mostly that is one digit. */
export class RowPiece {
  piece = new Piece('');
  readonly #head: string;
  readonly #tail: string;
  #bytes: Uint8Array = new Uint8Array();
  #row = Number.NaN;
  /** Where the last digit stands. */
  #last = 0;

  /** @param head ASCII, as what stands in a tag is */
  constructor(head: string, tail: string) {
    this.#head = head;
    this.#tail = tail;
  }

  set(row: number): void {
    if (row !== this.#row + 1 || !this.#countUp()) this.#make(row);
    this.#row = row;
  }

  /** False where a digit more is needed. */
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
    this.piece = new Piece(opened + this.#tail);
    this.#bytes = new Uint8Array(this.piece.view.buffer);
    this.#last = opened.length - 1;
  }
}
