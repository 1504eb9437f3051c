import { AsyncLocalStorage } from 'node:async_hooks';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg, { type FieldDef } from 'pg';
import type { Observation } from './files.ts';
import { type Primitive, type Property, type Shape, mergeShapes, shapeOfValue } from './shape.ts';

type Rows = readonly Record<string, unknown>[];

interface Result {
  rows: Rows;
}

/** What plugin.ts puts around the statements of the product. */
interface Recorder {
  /**
   * Records the rows of an execution.
   *
   * @param isDeclared false if the row is what the caller of the function declares
   */
  observe: <R extends Result | Result[]>(id: string, isDeclared: boolean, execution: Promise<R>) => Promise<R>;
  /** Wraps a function whose statements have the row that this caller declares; without an id, that an outer one does. */
  enter: <A extends unknown[], R>(id: string | undefined, called: (...input: A) => R) => (...input: A) => R;
  flush: () => void;
}

const global = globalThis as { statementRecorder?: Recorder };

/** Starts recording into a directory in this process, unless it records already. */
export function startRecorder(records: string): Recorder {
  return (global.statementRecorder ??= createRecorder(records));
}

function createRecorder(records: string): Recorder {
  mkdirSync(records, { recursive: true });
  const fieldsOf = keepFields();
  const seen = new Map<string, SeenRows>();
  const record = (id: string, rows: Rows): void => {
    const fields = fieldsOf.get(rows) ?? [];
    const key = [id, ...fields.map(({ name }) => name)].join('\n');
    const known = seen.get(key) ?? new SeenRows(id, fields);
    seen.set(key, known);
    known.add(rows);
  };
  return {
    observe: async (id, isDeclared, execution) => {
      const declaredBy = isDeclared ? id : (caller.getStore() ?? id);
      const result = await execution;
      // Several statements in one text have several results, and no row type.
      record(declaredBy, Array.isArray(result) ? [] : result.rows);
      return result;
    },
    enter:
      (id, called) =>
      (...input) => {
        const declaredBy = id ?? caller.getStore();
        return caller.run(declaredBy, () => keepCaller(declaredBy, called(...input)));
      },
    flush: () => {
      const lines = [...seen.values()].flatMap((rows) => rows.takeChange() ?? []).map((one) => JSON.stringify(one));
      if (lines.length > 0) appendFileSync(join(records, `${process.pid}.jsonl`), `${lines.join('\n')}\n`);
    },
  };
}

const caller = new AsyncLocalStorage<string | undefined>();

/** A function or a generator that a function returns runs later, for the same caller. */
function keepCaller<T>(id: string | undefined, result: T): T {
  if (typeof result === 'function') {
    const later = (...input: unknown[]): unknown => caller.run(id, () => result(...input) as unknown);
    const members = Object.entries(result).map(([name, member]) => [name, keepCaller(id, member as unknown)]);
    return Object.assign(later, Object.fromEntries(members)) as T;
  }
  if (typeof result === 'object' && result !== null && Symbol.asyncIterator in result) {
    const generator = result as unknown as AsyncGenerator;
    const next = (): unknown => caller.run(id, () => generator.next());
    return Object.assign(Object.create(generator) as object, {
      next,
      return: (value: unknown) => generator.return(value),
      [Symbol.asyncIterator]() {
        return this;
      },
    }) as T;
  }
  return result;
}

interface PgResult {
  rows: Rows;
  addFields: (fields: FieldDef[]) => void;
}

/** Remembers the columns of each result, which Kysely drops, by its array of rows. */
function keepFields(): WeakMap<Rows, readonly FieldDef[]> {
  const fieldsOf = new WeakMap<Rows, readonly FieldDef[]>();
  // The type declarations leave this class out.
  const { prototype } = (pg as unknown as { Result: { prototype: PgResult } }).Result;
  const { addFields } = prototype;
  prototype.addFields = function add(fields) {
    addFields.call(this, fields);
    fieldsOf.set(this.rows, fields);
  };
  return fieldsOf;
}

/** The values that the driver makes of common types, for columns in which every value was null or that had no rows. */
const PRIMITIVE_OF_OID: Readonly<Record<number, Primitive>> = {
  16: 'boolean',
  20: 'number',
  21: 'number',
  23: 'number',
  25: 'string',
  1043: 'string',
  1184: 'Date',
  1700: 'string',
};

/** This many objects and arrays of a column are read. */
const DEEP_VALUES = 300;

class Column {
  readonly name: string;
  private shape: Shape = { primitives: [] };
  private readonly found = new Set<string>();
  private readonly ofType: Primitive | undefined;
  private deep = 0;

  constructor({ name, dataTypeID }: FieldDef) {
    this.name = name;
    this.ofType = PRIMITIVE_OF_OID[dataTypeID];
  }

  /** Returns whether the value is of a kind that was not seen before. */
  add(value: unknown): boolean {
    const kind = value === null ? 'null' : typeof value;
    const isDeep = kind === 'object';
    if (isDeep ? (this.deep += 1) > DEEP_VALUES : this.found.has(kind)) return false;
    this.found.add(kind);
    const before = isDeep ? JSON.stringify(this.shape) : '';
    this.shape = this.deep + this.found.size === 1 ? shapeOfValue(value) : mergeShapes(this.shape, shapeOfValue(value));
    return before !== JSON.stringify(this.shape);
  }

  property(): Property {
    const { ofType, shape } = this;
    const isKnown = shape.elements ?? shape.properties ?? shape.primitives.some((primitive) => primitive !== 'null');
    const known: Shape = ofType && !isKnown ? mergeShapes(shape, { primitives: [ofType] }) : shape;
    return { shape: known, optional: false };
  }
}

/** What the rows of one statement were so far. */
class SeenRows {
  private readonly columns: readonly Column[];
  private readonly id: string;
  private isChanged = true;

  constructor(id: string, fields: readonly FieldDef[]) {
    this.id = id;
    this.columns = fields.map((field) => new Column(field));
  }

  add(rows: Rows): void {
    for (const row of rows) {
      for (const column of this.columns) {
        if (column.add(row[column.name])) this.isChanged = true;
      }
    }
  }

  /** What has to be written; undefined if it was written before. */
  takeChange(): Observation | undefined {
    if (!this.isChanged) return undefined;
    this.isChanged = false;
    const properties = Object.fromEntries(this.columns.map((column) => [column.name, column.property()]));
    return { id: this.id, columns: this.columns.map(({ name }) => name), row: { primitives: [], properties } };
  }
}
