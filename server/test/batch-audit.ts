import { sql } from 'kysely';
import { Client } from 'pg';
import { vi } from 'vitest';
import type { Db } from '../src/database/connect.ts';
import { EventBatch, type Writer } from '../src/gateway/event-batch.ts';

/** Tables that events only append to. */
const APPEND_ONLY: readonly string[] = ['notice', 'audit', 'audit_pending'];

/** A statement of a batch with what was known when it was sent. */
interface Sent {
  text: string;
  /** Tables of the rows that waited. */
  waiting: readonly string[];
  /** Set while a kind of rows is written: the tables that its writer declares. */
  declared?: readonly string[];
}

/**
 * Records the statements of event batches on all connections that are opened from now on. The plans of PostgreSQL tell which
 * tables a statement reads and writes, independently of the code under test.
 */
export class BatchAudit {
  readonly #sent = new Map<string, Sent>();
  #batch: EventBatch | undefined;
  #declared: readonly string[] | undefined;
  /** Above zero while the ledger of a batch works, whose own statements know what waits. */
  #inLedger = 0;

  start(): void {
    const prototype: { query: (...input: never[]) => unknown } = Client.prototype;
    const { query } = prototype;
    const record = (input: unknown): void => this.#record(input);
    vi.spyOn(Client.prototype, 'query').mockImplementation(function (this: Client, ...input: unknown[]) {
      record(input[0]);
      return Reflect.apply(query, this, input) as never;
    });
    this.#spyOn('insert', (batch, [writer]) => this.#watch(batch, writer as Writer<never>));
    for (const name of ['post', 'freeze', 'freezeMore', 'release', 'lockBalances'] as const)
      this.#spyOn(name, (batch) => void (this.#batch = batch), true);
  }

  stop(): void {
    vi.restoreAllMocks();
  }

  /** Statements that named a waiting table before its rows were written, and writers that left out a table. */
  async findViolations(db: Db): Promise<string[]> {
    const violations: string[] = [];
    for (const { text, waiting, declared } of this.#sent.values()) {
      const { read, written } = await fetchTables(db, text);
      const unwritten = waiting.filter((table) => read.has(table) || written.has(table));
      const undeclared = declared
        ? [...written].filter((table) => !declared.includes(table) && !APPEND_ONLY.includes(table))
        : [];
      // Ticks are written last, and markets change by them only.
      const unread = declared
        ? [...read].filter((table) => !declared.includes(table) && table !== 'market' && table !== 'tick')
        : [];
      if (unwritten.length > 0) violations.push(`${unwritten.join()} waited for: ${text}`);
      if (undeclared.length > 0) violations.push(`${undeclared.join()} written by: ${text}`);
      if (unread.length > 0) violations.push(`${unread.join()} read by: ${text}`);
    }
    return violations;
  }

  /** How many different statements were sent while rows waited. */
  get size(): number {
    return [...this.#sent.values()].filter(({ waiting }) => waiting.length > 0).length;
  }

  #spyOn(name: string, before: (batch: EventBatch, input: unknown[]) => void, isLedger = false): void {
    const methods = EventBatch.prototype as unknown as Record<string, (...input: unknown[]) => Promise<unknown>>;
    const method = methods[name];
    if (!method) throw new Error(`EventBatch has no method ${name}.`);
    const around = async (batch: EventBatch, input: unknown[]): Promise<unknown> => {
      before(batch, input);
      if (isLedger) this.#inLedger += 1;
      try {
        return await method.apply(batch, input);
      } finally {
        if (isLedger) this.#inLedger -= 1;
      }
    };
    vi.spyOn(methods, name).mockImplementation(function (this: EventBatch, ...input: unknown[]) {
      return around(this, input);
    });
  }

  #watch(batch: EventBatch, writer: Writer<never>): void {
    this.#batch = batch;
    if (vi.isMockFunction(writer.write)) return;
    const write = writer.write;
    vi.spyOn(writer, 'write').mockImplementation(async (...input) => {
      this.#declared = writer.tables;
      try {
        await write(...input);
      } finally {
        this.#declared = undefined;
      }
    });
  }

  #record(input: unknown): void {
    const text = typeof input === 'string' ? input : (input as { text: string }).text;
    if (/^(commit|rollback)/.test(text)) this.#batch = undefined;
    if (!this.#batch || this.#inLedger > 0 || /^(begin|set )/.test(text)) return;
    const sent: Sent = {
      text,
      waiting: this.#declared ? [] : this.#batch.waitingTables,
      ...(this.#declared && { declared: this.#declared }),
    };
    this.#sent.set(JSON.stringify(sent), sent);
  }
}

/** The tables in the plan of a statement. */
async function fetchTables(db: Db, text: string): Promise<{ read: Set<string>; written: Set<string> }> {
  const values = new Set(text.match(/\$\d+/g)).size;
  const [read, written] = [new Set<string>(), new Set<string>()];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { 'Relation Name': table, Operation: operation } = node as Record<string, unknown>;
    if (typeof table === 'string') (operation === undefined ? read : written).add(table);
    for (const child of Object.values(node)) visit(child);
  };
  await db.connection().execute(async (one) => {
    await sql.raw('set plan_cache_mode = force_generic_plan').execute(one);
    await sql.raw(`prepare audited as ${text}`).execute(one);
    const nulls = values === 0 ? '' : `(${Array.from({ length: values }, () => 'null').join()})`;
    const { rows } = await sql.raw(`explain (format json) execute audited${nulls}`).execute(one);
    visit(rows);
    await sql.raw('deallocate audited; reset plan_cache_mode').execute(one);
  });
  return { read, written };
}
