import type { ListColumn } from '@hengtai/contract/list';
import type { Field } from '../db/copy.ts';
import { parserOf } from '../db/types.ts';
import { type Cell, cellOf } from './cell.ts';
import { LINE_END, TAB, endOf } from './field-end.ts';
import { Out, Piece } from './out.ts';

/** What most portions of a source fit in, with the row that was cut off before them. */
const ROOM = 128 * 1024;

/** PostgreSQL's numbers of the types whose text is what is written, or nearly. */
export const TYPE = { int8: 20, int2: 21, int4: 23, text: 25, varchar: 1043, numeric: 1700 } as const;
const WHOLE: ReadonlySet<number> = new Set([TYPE.int2, TYPE.int4, TYPE.int8]);

/** A column, and where its value stands in the copied rows. */
export interface Copied {
  column: ListColumn;
  place: number;
  field: Field;
}

/** How a cell of a column is written: from its bytes where these are what stands in the file, else from what they mean. */
export interface ColumnWriter {
  /**
   * Writes the field that begins at `from`, and tells where it ends; less than 0 where its bytes need more than copying, and
   * what was written of it by then is taken back.
   */
  quick?: (out: Out, bytes: Buffer, from: number, row: number) => number;
  slow: (cell: Cell, row: number) => string;
}

export interface RowForm {
  columns: readonly ColumnWriter[];
  begin: (out: Out, row: number) => void;
  between?: (out: Out) => void;
  end: (out: Out) => void;
  /** Most bytes that a row takes besides its values, by its number of cells. */
  around: number;
}

export interface Portion {
  count: number;
  bytes: Buffer;
}

/** The kinds of a column whose values come as one number, which may be written as PostgreSQL has written it. */
export const isNumeric = ({ column: { kind, text }, field: { type } }: Copied): boolean =>
  !text && (kind === 'id' || kind === 'count' || kind === 'amount') && (WHOLE.has(type) || type === TYPE.numeric);
export const isTime = ({ column: { kind, text }, field: { type } }: Copied): boolean =>
  !text && kind === 'time' && WHOLE.has(type);
export const isText = ({ column: { kind, text }, field: { type } }: Copied): boolean =>
  !text && (kind === 'text' || kind === 'hash') && (type === TYPE.text || type === TYPE.varchar);
/** One of a few values, of which each is put into words once. */
export const isState = ({ column: { kind, text }, field: { type } }: Copied): boolean =>
  !text && kind === 'state' && (WHOLE.has(type) || type === TYPE.text);

/** Rows in COPY's text format, turned into the rows of a file as they come. Each byte is looked at once where that will do. */
export class CopiedRows {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #columns: readonly Copied[];
  readonly #fields: readonly Field[];
  readonly #parsers: readonly ((text: string) => unknown)[];
  readonly #out = new Out();
  readonly #pace: (rows: number) => Promise<void>;
  #rows = 0;
  #bytes: Buffer = Buffer.allocUnsafeSlow(ROOM);
  /** Where the next row begins, where the last row ends that is there whole, and where the bytes end. */
  #at = 0;
  #whole = 0;
  #end = 0;

  /** @param pace told how many rows are written before more of them are asked for, and waited for */
  constructor(
    source: AsyncIterable<Uint8Array>,
    fields: readonly Field[],
    columns: readonly Copied[],
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
   * At most so many rows, the first of them under this number; no row when there are no more. The bytes of a portion are used
   * while the next is made, and written over by the one behind that.
   */
  async take(form: RowForm, most: number, first: number): Promise<Portion> {
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

  /** Whether no row is left. */
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

  /** Writes the next row, and gives where the one behind it begins. */
  #write(form: RowForm, row: number): number {
    const bytes = this.#bytes;
    const columns = this.#columns;
    const out = this.#out;
    // No row takes more than all that are there.
    out.reserve(this.#whole - this.#at + form.around);
    form.begin(out, row);
    let from = this.#at;
    let place = 0;
    let record: Row | undefined;
    for (let c = 0; c < columns.length; c += 1) {
      const copied = columns[c] as Copied;
      const writer = form.columns[c] as ColumnWriter;
      if (c > 0) form.between?.(out);
      const { at } = out;
      let to = copied.place < 0 || !writer.quick ? -1 : writer.quick(out, bytes, from, row);
      if (to < 0) {
        out.at = at;
        to = endOf(bytes, from);
        // What a column says of several fields is made of the row that the screen would have got.
        if (copied.column.text) record ??= this.#rowObject();
        out.text(writer.slow(this.#cell(copied, record, from, to), row));
      }
      if (copied.place >= 0) from = this.#behind(to, place++);
    }
    form.end(out);
    while (place < this.#fields.length) from = this.#behind(endOf(bytes, from), place++);
    return from;
  }

  /** Where the next field begins, or the next row. */
  #behind(to: number, place: number): number {
    const last = this.#fields.length - 1;
    if (this.#bytes[to] !== (place < last ? TAB : LINE_END))
      throw new Error(`A copied row does not have ${last + 1} fields.`);
    return to + 1;
  }

  #cell({ column, place }: Copied, record: Row | undefined, from: number, to: number): Cell {
    if (column.text && record) return cellOf(column, record);
    if (place < 0) return cellOf(column, {});
    return cellOf(column, { [column.field]: this.#value(place, this.#bytes.toString('utf8', from, to)) });
  }

  #value(place: number, raw: string): unknown {
    const text = unescaped(raw);
    return text === null ? null : this.#parsers[place]?.(text);
  }

  #rowObject(): Row {
    const raw = this.#bytes.toString('utf8', this.#at, this.#bytes.indexOf(LINE_END, this.#at)).split('\t');
    return Object.fromEntries(this.#fields.map(({ name }, place) => [name, this.#value(place, raw[place] ?? '')]));
  }
}

type Row = Readonly<Record<string, unknown>>;

const ESCAPED: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** A field of COPY's text format as it was; null is told apart from any text. */
export function unescaped(field: string): string | null {
  if (field === '\\N') return null;
  if (!field.includes('\\')) return field;
  return field.replaceAll(/\\([\s\S])/g, (_all, char: string) => ESCAPED[char] ?? char);
}

const WRITTEN: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Rows that a list has made more of than the database says, as COPY would have written them: as JSON, field by field. */
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

/** PostgreSQL's number of the type json, in whose form such rows come. */
export const JSON_TYPE = 114;

/** A value that comes again and again. */
export interface Remembered {
  /** Where the field ends; less than 0 where there was nothing. */
  end: number;
  made: Piece;
}

/**
 * Caches what a column's values become, as long as these are few; most have a byte or two, by which they are found without
 * making a text of them.
 */
export function remembered(make: (raw: string) => string, most = 1_000): (bytes: Buffer, from: number) => Remembered {
  const short: Piece[] = [];
  const known = new Map<string, Piece>();
  const found: Remembered = { end: 0, made: new Piece('') };
  const lookUp = (raw: string): Piece => {
    const made = known.get(raw) ?? new Piece(make(raw));
    if (known.size < most) known.set(raw, made);
    return made;
  };
  return (bytes, from) => {
    const end = endOf(bytes, from);
    const byte = end === from + 1 ? bytes[from] : undefined;
    const before = byte === undefined ? undefined : short[byte];
    found.end = end;
    found.made = before ?? lookUp(bytes.toString('utf8', from, end));
    if (byte !== undefined) short[byte] = found.made;
    return found;
  };
}

/** What a value of a column means where the bytes alone do not say it. */
export function cellFrom({ column, field }: Copied, raw: string): Cell {
  const text = unescaped(raw);
  return cellOf(column, { [column.field]: text === null ? null : parserOf(field.type)(text) });
}
