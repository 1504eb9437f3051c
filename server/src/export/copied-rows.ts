import type { ListColumn } from '@hengtai/contract/list';
import type { Field } from '../db/copy.ts';
import { parserOf } from '../db/types.ts';
import { type Cell, cellOf } from './cell.ts';
import { LINE_END, TAB, endOf } from './copy-format.ts';
import { ByteBuffer, ByteChunk } from './byte-buffer.ts';

/** Initial buffer size in bytes: fits most chunks of the source with an incomplete row before them. */
const BUFFER_SIZE = 128 * 1024;

/** Type oids of PostgreSQL whose text can be copied to the file nearly unchanged. */
export const TYPE = { int8: 20, int2: 21, int4: 23, text: 25, varchar: 1043, numeric: 1700 } as const;
const WHOLE: ReadonlySet<number> = new Set([TYPE.int2, TYPE.int4, TYPE.int8]);

/** A column, and the position of its value in the copied rows. */
export interface CopiedColumn {
  column: ListColumn;
  /** Index of the field; -1 if the rows do not have it. */
  place: number;
  field: Field;
}

/** Writes the cells of a column: from COPY's bytes where these can be copied, else from the parsed value. */
export interface ColumnWriter {
  /**
   * Fast path: writes the field that begins at `from` and returns its end. A negative result means that the bytes need
   * formatting; the caller then discards what was written.
   */
  writeBytes?: (out: ByteBuffer, bytes: Buffer, from: number, row: number) => number;
  format: (cell: Cell, row: number) => string;
}

export interface RowFormat {
  columns: readonly ColumnWriter[];
  begin: (out: ByteBuffer, row: number) => void;
  between?: (out: ByteBuffer) => void;
  end: (out: ByteBuffer) => void;
  /** Maximum bytes of a row beyond its values. */
  overhead: number;
}

export interface RowChunk {
  count: number;
  bytes: Buffer;
}

/** Columns of numbers that can be written as PostgreSQL prints them. */
export const isNumeric = ({ column: { kind, text }, field: { type } }: CopiedColumn): boolean =>
  !text && (kind === 'id' || kind === 'count' || kind === 'amount') && (WHOLE.has(type) || type === TYPE.numeric);
export const isTime = ({ column: { kind, text }, field: { type } }: CopiedColumn): boolean =>
  !text && kind === 'time' && WHOLE.has(type);
export const isText = ({ column: { kind, text }, field: { type } }: CopiedColumn): boolean =>
  !text && (kind === 'text' || kind === 'hash') && (type === TYPE.text || type === TYPE.varchar);
/** Columns with few distinct values, so that their labels can be memoized. */
export const isState = ({ column: { kind, text }, field: { type } }: CopiedColumn): boolean =>
  !text && kind === 'state' && (WHOLE.has(type) || type === TYPE.text);

/** Converts rows in COPY's text format into rows of a file as they arrive. The fast path reads each byte once. */
export class CopiedRows {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #columns: readonly CopiedColumn[];
  readonly #fields: readonly Field[];
  readonly #parsers: readonly ((text: string) => unknown)[];
  readonly #out = new ByteBuffer();
  readonly #pace: (rows: number) => Promise<void>;
  #rows = 0;
  #bytes: Buffer = Buffer.allocUnsafeSlow(BUFFER_SIZE);
  /** Offsets: start of the next row, end of the last complete row, end of the bytes. */
  #at = 0;
  #whole = 0;
  #end = 0;

  /** @param pace called with the number of written rows before more are read; reading waits for it */
  constructor(
    source: AsyncIterable<Uint8Array>,
    fields: readonly Field[],
    columns: readonly CopiedColumn[],
    pace: (rows: number) => Promise<void> = async () => undefined,
  ) {
    this.#source = source[Symbol.asyncIterator]();
    this.#pace = pace;
    this.#fields = fields;
    this.#columns = columns;
    this.#parsers = fields.map(({ type }) => parserOf(type));
    const places = columns.map(({ place }) => place).filter((place) => place >= 0);
    if (places.some((place, i) => place !== i))
      throw new Error('The copied fields are not in the order of the columns.');
  }

  /**
   * Reads the next rows; a count of 0 means the end. Two buffers alternate, so the bytes of a portion are valid until
   * the portion after the next is requested.
   *
   * @param first number of the first row in the file
   */
  async take(form: RowFormat, most: number, first: number): Promise<RowChunk> {
    const out = this.#out;
    let count = 0;
    while (count < most && !out.full) {
      if (this.#at === this.#whole) {
        await this.#pace(this.#rows);
        if (!(await this.#more())) break;
        continue;
      }
      this.#at = this.#write(form, first + count);
      count += 1;
      this.#rows += 1;
    }
    return { count, bytes: out.take() };
  }

  /** Whether all rows were taken. Reads from the source if necessary. */
  async ended(): Promise<boolean> {
    return this.#at === this.#end && !(await this.#more());
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#source.next();
    if (done) {
      if (this.#at < this.#end) throw new Error('The copied data ends in the middle of a row.');
      return false;
    }
    const rest = this.#end - this.#at;
    const wanted = rest + value.length;
    const bytes = wanted <= this.#bytes.length ? this.#bytes : Buffer.allocUnsafeSlow(wanted * 2);
    this.#bytes.copy(bytes, 0, this.#at, this.#end);
    bytes.set(value, rest);
    this.#bytes = bytes;
    this.#at = 0;
    this.#end = wanted;
    this.#whole = bytes.lastIndexOf(LINE_END, wanted - 1) + 1;
    return true;
  }

  /** Writes the next row and returns the offset of the one after it. */
  #write(form: RowFormat, row: number): number {
    const bytes = this.#bytes;
    const columns = this.#columns;
    const out = this.#out;
    // One row is never longer than all buffered rows.
    out.reserve(this.#whole - this.#at + form.overhead);
    form.begin(out, row);
    let from = this.#at;
    let place = 0;
    let record: Row | undefined;
    for (let c = 0; c < columns.length; c += 1) {
      const copied = columns[c] as CopiedColumn;
      const writer = form.columns[c] as ColumnWriter;
      if (c > 0) form.between?.(out);
      const { at } = out;
      let to = copied.place < 0 || !writer.writeBytes ? -1 : writer.writeBytes(out, bytes, from, row);
      if (to < 0) {
        out.at = at;
        to = endOf(bytes, from);
        // A column that combines several fields gets the whole row, as on the screen.
        if (copied.column.text) record ??= this.#rowObject();
        out.text(writer.format(this.#cell(copied, record, from, to), row));
      }
      if (copied.place >= 0) from = this.#nextOffset(to, place++);
    }
    form.end(out);
    while (place < this.#fields.length) from = this.#nextOffset(endOf(bytes, from), place++);
    return from;
  }

  /** Offset of the next field, or of the next row after the last field. */
  #nextOffset(to: number, place: number): number {
    const last = this.#fields.length - 1;
    if (this.#bytes[to] !== (place < last ? TAB : LINE_END))
      throw new Error(`A copied row does not have ${last + 1} fields.`);
    return to + 1;
  }

  #cell({ column, place }: CopiedColumn, record: Row | undefined, from: number, to: number): Cell {
    if (column.text && record) return cellOf(column, record);
    if (place < 0) return cellOf(column, {});
    return cellOf(column, { [column.field]: this.#value(place, this.#bytes.toString('utf8', from, to)) });
  }

  #value(place: number, raw: string): unknown {
    const text = unescapeField(raw);
    return text === null ? null : this.#parsers[place]?.(text);
  }

  #rowObject(): Row {
    const raw = this.#bytes.toString('utf8', this.#at, this.#bytes.indexOf(LINE_END, this.#at)).split('\t');
    return Object.fromEntries(this.#fields.map(({ name }, place) => [name, this.#value(place, raw[place] ?? '')]));
  }
}

type Row = Readonly<Record<string, unknown>>;

const ESCAPED: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** Decodes a field of COPY's text format; null is distinct from any text. */
export function unescapeField(field: string): string | null {
  if (field === '\\N') return null;
  if (!field.includes('\\')) return field;
  return field.replaceAll(/\\([\s\S])/g, (_all, char: string) => ESCAPED[char] ?? char);
}

const WRITTEN: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Encodes rows that were computed outside the database in COPY's text format, each field as JSON. */
export const copyLines = (rows: readonly unknown[], fields: readonly string[]): Buffer =>
  Buffer.from(
    rows
      .map((row) =>
        fields
          .map((field) => JSON.stringify((row as Readonly<Record<string, unknown>>)[field] ?? null))
          .map((json) => (json === 'null' ? '\\N' : json.replaceAll(/[\\\n\r\t]/g, (char) => WRITTEN[char] ?? char)))
          .join('\t'),
      )
      .map((line) => `${line}\n`)
      .join(''),
  );

/** Type oid of json, the type of the fields that `copyLines` encodes. */
export const JSON_TYPE = 114;

/** Result of `memoizeField`. The function returns the same object each time. */
export interface MemoizedField {
  /** End offset of the field. */
  end: number;
  written: ByteChunk;
}

/**
 * Caches the output for the values of a column, up to `most` values. Values of one byte are found by that byte, without
 * decoding it.
 */
export function memoizeField(
  make: (raw: string) => string,
  most = 1_000,
): (bytes: Buffer, from: number) => MemoizedField {
  const byByte: ByteChunk[] = [];
  const byText = new Map<string, ByteChunk>();
  const found: MemoizedField = { end: 0, written: new ByteChunk('') };
  const lookUp = (raw: string): ByteChunk => {
    const chunk = byText.get(raw) ?? new ByteChunk(make(raw));
    if (byText.size < most) byText.set(raw, chunk);
    return chunk;
  };
  return (bytes, from) => {
    const end = endOf(bytes, from);
    const byte = end === from + 1 ? bytes[from] : undefined;
    const cached = byte === undefined ? undefined : byByte[byte];
    found.end = end;
    found.written = cached ?? lookUp(bytes.toString('utf8', from, end));
    if (byte !== undefined) byByte[byte] = found.written;
    return found;
  };
}

/** Parses an encoded field into the cell of its column. */
export function cellFrom({ column, field }: CopiedColumn, raw: string): Cell {
  const text = unescapeField(raw);
  return cellOf(column, { [column.field]: text === null ? null : parserOf(field.type)(text) });
}
