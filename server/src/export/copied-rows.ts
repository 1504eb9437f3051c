import type { ListColumn } from '@hengtai/contract/list';
import type { Field } from '../db/copy.ts';
import { parserOf } from '../db/types.ts';
import { type Cell, cellOf } from './cell.ts';
import { Out } from './out.ts';

const TAB = 9;
const LINE_END = 10;
const BACKSLASH = 92;

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
  /** False where the bytes need more than copying; nothing was written then. */
  quick?: (out: Out, bytes: Uint8Array, from: number, to: number, row: number) => boolean;
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

/** Rows in COPY's text format, turned into the rows of a file as they come. */
export class CopiedRows {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #columns: readonly Copied[];
  readonly #fields: readonly Field[];
  readonly #parsers: readonly ((text: string) => unknown)[];
  readonly #out = new Out();
  readonly #ends: Int32Array;
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #rowStart = 0;

  constructor(source: AsyncIterable<Uint8Array>, fields: readonly Field[], columns: readonly Copied[]) {
    this.#source = source[Symbol.asyncIterator]();
    this.#fields = fields;
    this.#columns = columns;
    this.#parsers = fields.map(({ type }) => parserOf(type));
    this.#ends = new Int32Array(fields.length);
  }

  /** At most so many rows, the first of them under this number; no row when there are no more. */
  async take(form: RowForm, most: number, first: number): Promise<Portion> {
    const out = this.#out;
    let count = 0;
    while (count < most && !out.full) {
      if (!this.#findRow()) {
        if (count > 0) break;
        if (!(await this.#more())) break;
        continue;
      }
      this.#write(form, first + count);
      count += 1;
    }
    return { count, bytes: out.take() };
  }

  /** The bytes of a portion were used, and may be written over. */
  giveBack(bytes: Buffer): void {
    this.#out.giveBack(bytes);
  }

  /** Whether no row is left. */
  async ended(): Promise<boolean> {
    return this.#at === this.#bytes.length && !(await this.#more());
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#source.next();
    if (done) {
      if (this.#at < this.#bytes.length) throw new Error('the rows ended within one');
      return false;
    }
    const rest = this.#bytes.subarray(this.#at);
    this.#bytes =
      rest.length > 0 ? Buffer.concat([rest, value]) : Buffer.from(value.buffer, value.byteOffset, value.length);
    this.#at = 0;
    return true;
  }

  /** Where the fields of the next row end; false where it is not there whole. */
  #findRow(): boolean {
    const bytes = this.#bytes;
    const ends = this.#ends;
    let place = 0;
    for (let i = this.#at; i < bytes.length; i += 1) {
      const byte = bytes[i];
      if (byte === TAB) ends[place++] = i;
      else if (byte === LINE_END) {
        ends[place++] = i;
        if (place !== ends.length) throw new Error(`a row has ${place} fields and not ${ends.length}`);
        this.#rowStart = this.#at;
        this.#at = i + 1;
        return true;
      }
    }
    return false;
  }

  #write(form: RowForm, row: number): void {
    const bytes = this.#bytes;
    const columns = this.#columns;
    const out = this.#out;
    out.reserve(this.#at - this.#rowStart + form.around);
    form.begin(out, row);
    let whole: Record<string, unknown> | undefined;
    for (let c = 0; c < columns.length; c += 1) {
      const copied = columns[c] as Copied;
      const writer = form.columns[c] as ColumnWriter;
      if (c > 0) form.between?.(out);
      const from = this.#startOf(copied.place);
      const to = this.#ends[copied.place] ?? 0;
      const isNull = to - from === 2 && bytes[from] === BACKSLASH && bytes[from + 1] === 78;
      if (!isNull && writer.quick?.(out, bytes, from, to, row)) continue;
      if (isNull && !copied.column.text) {
        out.text(writer.slow({ kind: 'none' }, row));
        continue;
      }
      // What a column says of several fields is made of the row that the screen would have got.
      if (copied.column.text) whole ??= this.#rowObject();
      const record = whole ?? { [copied.column.field]: this.#value(copied.place) };
      out.text(writer.slow(cellOf(copied.column, record), row));
    }
    form.end(out);
  }

  #startOf(place: number): number {
    return place === 0 ? this.#rowStart : (this.#ends[place - 1] ?? 0) + 1;
  }

  #value(place: number): unknown {
    const text = unescaped(this.#bytes.toString('utf8', this.#startOf(place), this.#ends[place]));
    return text === null ? null : this.#parsers[place]?.(text);
  }

  #rowObject(): Record<string, unknown> {
    return Object.fromEntries(this.#fields.map(({ name }, place) => [name, this.#value(place)]));
  }
}

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

/** Caches what a column's values become, as long as these are few. */
export function remembered(make: (raw: string) => Buffer, most = 1_000): (raw: string) => Buffer {
  const known = new Map<string, Buffer>();
  return (raw) => {
    const found = known.get(raw);
    if (found) return found;
    const made = make(raw);
    if (known.size < most) known.set(raw, made);
    return made;
  };
}

/** What a value of a column means where the bytes alone do not say it. */
export function cellFrom({ column, field }: Copied, raw: string): Cell {
  const text = unescaped(raw);
  return cellOf(column, { [column.field]: text === null ? null : parserOf(field.type)(text) });
}
