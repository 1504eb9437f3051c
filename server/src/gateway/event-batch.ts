import { takeIds } from '../database/bulk.ts';
import type { Db } from '../database/connect.ts';
import { tablesIn, withStatementHook } from '../database/statement-hook.ts';
import { LEDGER_TABLES, LedgerBatch } from '../books/ledger/ledger-batch.ts';
import { DEFAULT_SCOPE, type PlatformScope } from './platform-scope.ts';
import { findUsersOf } from './user-platform.store.ts';

/** A user as events need it. */
export interface EventUser {
  id: number;
  agentId: number;
  state: number;
  trade: number;
  ai: number;
  ieoBuy: number;
  ieoSell: number;
  winType: number;
  winRate: string | null;
}

/** Context of an event handler. Times are unix milliseconds. */
export interface EventCtx {
  batch: EventBatch;
  /** `batch.db` */
  db: Db;
  /** Time of the event at the platform; never later than now. */
  at: number;
  now: number;
}

/** The statement that writes all waiting rows of one kind. */
export interface Writer<Row> {
  /**
   * The tables that `write` reads or writes, beginning with the one that it inserts into or updates. Notifications and
   * audit rows are left out, because events only append to them.
   */
  tables: readonly [string, ...string[]];
  /** Written after all other kinds, which read its tables as they were before. */
  isLast?: boolean;
  /**
   * @throws Rejected if a row cannot be written
   * @throws Undone if later events of a deferred batch must see what it wrote
   */
  write: (db: Db, rows: readonly Row[], isDeferred: boolean) => Promise<void>;
}

/** A row of a user with a number of the platform. */
export interface NumberedRow {
  no: string;
  userId: number;
}

/** Rows with a number of the platform that events name and change. */
export interface NumberedRows<Row extends NumberedRow> {
  table: string;
  /** Reads and locks the rows until the transaction ends. */
  lock: (db: Db, numbers: readonly string[]) => Promise<Row[]>;
}

interface Waiting {
  writer: Pick<Writer<never>, 'tables' | 'isLast'>;
  rows: unknown[];
  write: () => Promise<void>;
}

/**
 * Functions, views and tables with triggers that read waiting tables, so that a statement does not name them itself. A test
 * compares them with the catalog of the database.
 */
export const READS_UNNAMED = new RegExp(
  `\\b(${[
    'value_of',
    'usdt_price',
    'usdt_price_at',
    '\\w+_of_user',
    'user_in_scope',
    'exceeds_branch_or_house',
    'open_seconds',
    'settle_seconds',
    'void_second',
    'record_ticks',
    'counted_rows',
    'counted_now',
    'find_users',
    'find_by_account_ends',
    'find_by_ends',
    'find_identities',
    '\\w+_(counters|addresses)',
    'closure',
    'update agent',
  ].join('|')})\\b`,
);
/** A statement without these words changes no row. */
const CHANGING = /\b(insert|update|delete|merge|truncate|copy|record_ticks|open_seconds|settle_seconds)\b/i;
const LOCKING = /\bfor (no key )?update\b/gi;

/**
 * The writes of the events of one transaction. Rows and transfers wait until `flush`, which writes each kind with one
 * statement, or until a statement on `db` names one of their tables: so every statement sees what was written before it. A
 * batch that is not deferred writes everything at once.
 */
export class EventBatch extends LedgerBatch {
  /** The connection for handlers: writes waiting rows before a statement that could read them. */
  readonly db: Db;
  /** Users that the transaction has locked, by account as spelled in the events. */
  readonly users = new Map<string, { user: EventUser; isForUpdate: boolean }>();
  readonly #waiting = new Map<Writer<never>, Waiting>();
  readonly #memo = new Map<string, unknown>();
  readonly #prefetched = new Map<string, Map<string, unknown>>();
  readonly #ids = new Map<string, number[]>();
  #expected = 1;
  /** What the platform that reports the events may speak of. */
  readonly scope: PlatformScope;

  constructor(connection: Db, now: number, isDeferred: boolean, scope: PlatformScope = DEFAULT_SCOPE) {
    super(connection, now, isDeferred);
    this.scope = scope;
    this.db = withStatementHook(connection, (text) => this.#flushFor(text));
  }

  /** @param expected how many events of the same type may follow, this one included: ids are taken for all of them */
  startEvent(expected: number): void {
    this.#expected = expected;
  }

  /** Adds a row. Kinds are written in the order of their first rows, and the rows of a kind in the order of their events. */
  async insert<Row>(writer: Writer<Row>, row: Row): Promise<void> {
    const { rows } = this.#waiting.get(writer) ?? this.#addKind(writer);
    rows.push(row);
    this.changes += 1;
    if (!this.isDeferred) await this.#flushRows();
  }

  /** As `insert`, for a row that others refer to by its id. */
  async insertWithId<Row extends { no: string }>(writer: Writer<Row & { id: number }>, row: Row): Promise<number> {
    const [table] = writer.tables;
    const ids = this.#ids.get(table) ?? [];
    if (ids.length === 0) ids.push(...(await takeIds(this.connection, table, this.#expected)));
    this.#ids.set(table, ids);
    const id = ids.shift();
    if (id === undefined) throw new Error(`The table ${table} gave no id.`);
    this.#prefetched.get(table)?.delete(row.no);
    await this.insert(writer, { ...row, id });
    return id;
  }

  /** Locks the rows that later events name. `lockRow` takes them from here, also those that do not exist. */
  async prefetch<Row extends NumberedRow>(source: NumberedRows<Row>, numbers: readonly string[]): Promise<Row[]> {
    const rows = await this.#keepOwn(await source.lock(this.db, numbers));
    const byNumber = new Map<string, Row | undefined>(numbers.map((no) => [no, undefined]));
    for (const row of rows) byNumber.set(row.no, row);
    this.#prefetched.set(source.table, byNumber);
    return rows;
  }

  /** Whether a user belongs to the platform that reports the events. A row of another user counts as missing. */
  async owns(userId: number): Promise<boolean> {
    return (await this.#keepOwn([{ userId }])).length === 1;
  }

  /** Locks a row. A prefetched row serves one event only, because that event changes it. */
  async lockRow<Row extends NumberedRow>(source: NumberedRows<Row>, no: string): Promise<Row | undefined> {
    const byNumber = this.#prefetched.get(source.table) as Map<string, Row | undefined> | undefined;
    if (!byNumber?.has(no)) return (await this.#keepOwn(await source.lock(this.db, [no])))[0];
    const row = byNumber.get(no);
    byNumber.delete(no);
    return row;
  }

  /**
   * Reads once per deferred batch what rarely changes, because most events name the same few markets and agents. A missing
   * row is read again.
   *
   * @param key identifies the statement and its parameters, and so the type
   */
  async once<T>(key: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
    const found = (this.#memo.get(key) as T | undefined) ?? (await read());
    if (found !== undefined) this.remember(key, found);
    return found;
  }

  /** Stores a value for `once`. */
  remember(key: string, value: unknown): void {
    if (this.isDeferred) this.#memo.set(key, value);
  }

  /** The rows of a kind that are not written yet. */
  waitingRows<Row>(writer: Writer<Row>): readonly Row[] {
    return (this.#waiting.get(writer)?.rows ?? []) as Row[];
  }

  /** The tables that waiting rows and transfers read or write. */
  get waitingTables(): string[] {
    const tables = [...this.#waiting.values()].flatMap(({ writer }) => writer.tables);
    return this.hasWaitingTransfers ? [...tables, ...LEDGER_TABLES] : tables;
  }

  /** Writes the rows before the ledger, because risks are computed with what the ledger had and what waits. */
  override async flush(): Promise<void> {
    await this.#flushRows();
    await super.flush();
  }

  /** Without the rows of users of other platforms. */
  async #keepOwn<Row extends { userId: number }>(rows: readonly Row[]): Promise<Row[]> {
    if (rows.length === 0) return [];
    const userIds = rows.map(({ userId }) => userId);
    const own = await findUsersOf(this.connection, this.scope.id, userIds);
    return rows.filter(({ userId }) => own.has(userId));
  }

  #addKind<Row>(writer: Writer<Row>): Waiting {
    const rows: Row[] = [];
    const waiting = { writer, rows, write: () => writer.write(this.connection, rows, this.isDeferred) };
    this.#waiting.set(writer, waiting);
    return waiting;
  }

  async #flushRows(): Promise<void> {
    const isLast = ({ writer }: Waiting): number => Number(writer.isLast ?? false);
    const waiting = [...this.#waiting.values()].toSorted((a, b) => isLast(a) - isLast(b));
    this.#waiting.clear();
    await this.write(async () => {
      for (const { write } of waiting) await write();
    });
  }

  async #flushFor(text: string): Promise<void> {
    if (CHANGING.test(text.replaceAll(LOCKING, ''))) this.changes += 1;
    const named = tablesIn(text);
    const isNamed = (table: string): boolean => named.has(table);
    if (READS_UNNAMED.test(text) || LEDGER_TABLES.some(isNamed)) {
      await this.flush();
      // The statement may change balances.
      this.forgetBalances();
    } else if (this.waitingTables.some(isNamed)) await this.#flushRows();
  }
}
