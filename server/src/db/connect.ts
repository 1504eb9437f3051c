import { Kysely, PostgresDialect, sql } from 'kysely';
import { Client, DatabaseError, Pool } from 'pg';
import { agentBits } from './agent-bits.ts';
import type { Tables } from './tables.ts';
import { driverTypes } from './types.ts';

/** A pool or a transaction: whatever a store can be given. */
export type Db = Kysely<Tables>;

export interface PoolOptions {
  url: string;
  max: number;
  name: string;
  /** Settings that hold from the first statement of every connection. */
  settings?: Readonly<Record<string, string>>;
  /** Statements marked as `prepared` are planned once a connection; not behind a pooler that hands connections round. */
  prepare?: boolean;
  /** Milliseconds that a new connection may take; ten seconds by default. */
  connectWithin?: number;
  onError: (error: Error) => void;
}

/** Opens a pool; a connection that breaks, idle or at work, is reported and replaced, never thrown. */
export function openPool(options: PoolOptions): { db: Db; end: () => Promise<void> } {
  const pool = new Pool({
    connectionString: withSettings(options.url, options.settings ?? {}),
    application_name: options.name,
    max: options.max,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: options.connectWithin ?? 10_000,
    types: driverTypes,
    ...(options.prepare ? { Client: PreparingClient } : {}),
  });
  // A connection that breaks while a transaction has it, between two statements, tells only its own listeners; without
  // one it would end the process. The pool repeats what its idle ones say.
  pool.on('connect', (client) => client.on('error', options.onError));
  pool.on('error', () => undefined);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return { db, end: () => db.destroy() };
}

const MARK = '/* prepared */ ';
/**
 * Stands at the head of a statement that runs for every event. Only for statements whose text never varies and that find
 * their rows by a key: for them one plan is as good as another, and planning costs more than running.
 */
export const prepared = sql.raw(MARK);

const names = new Map<string, string>();

/** Gives marked statements a name, by which PostgreSQL keeps their plan. */
class PreparingClient extends Client {
  constructor(config?: ConstructorParameters<typeof Client>[0]) {
    super(config);
    const plain = this.query.bind(this) as (...input: unknown[]) => unknown;
    const named = (text: unknown, values: unknown, ...rest: unknown[]): unknown => {
      if (typeof text !== 'string' || !text.startsWith(MARK)) return plain(text, values, ...rest);
      const name = names.get(text) ?? `p${names.size}`;
      names.set(text, name);
      return plain({ name, text, values }, ...rest);
    };
    Object.assign(this, { query: named });
  }
}

/** The address of a database with settings that hold from the first statement of a connection. */
export function withSettings(url: string, settings: Readonly<Record<string, string>>): string {
  const parsed = new URL(url);
  const given = parsed.searchParams.get('options');
  const ours = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  if (ours.length === 0) return url;
  parsed.searchParams.set('options', [...(given ? [given] : []), ...ours].join(' '));
  parsed.search = parsed.search.replaceAll('+', '%20');
  return parsed.toString();
}

/** Whose rows a transaction may see. */
export type Scope = { kind: 'all' } | { kind: 'agents'; ids: readonly number[] };

const BEGIN = {
  write: '',
  action: '',
  treeChange: '',
  read: ' isolation level repeatable read read only',
  snapshot: ' isolation level repeatable read',
} as const;

/** Names the tree of agents among PostgreSQL's advisory locks. */
const TREE_LOCK = 5_300_001;

/** An advisory lock, because every action takes it: sharing a row lock would write the row each time. */
export const treeLock = {
  shared: `select pg_advisory_xact_lock_shared(${TREE_LOCK})`,
  exclusive: `select pg_advisory_xact_lock(${TREE_LOCK})`,
  tryExclusive: `select pg_try_advisory_xact_lock(${TREE_LOCK}) as locked`,
} as const;

/** In the first message of the transaction, so that statements after it see what was committed before the lock. */
const LOCK: Partial<Record<keyof typeof BEGIN, string>> = { action: treeLock.shared, treeChange: treeLock.exclusive };

/**
 * Runs `work` in a transaction that sees only the scope's rows. The scope is set in the same message that begins the
 * transaction, so it costs no round trip; it is written in hexadecimal digits, so there is nothing to escape. A reading
 * transaction sees one snapshot, so that a page and its total are of the same moment; so does one that writes what it has
 * added up. An `action` shares the lock of the agent tree with others, a `treeChange` holds it alone.
 *
 * @param before runs on the same connection, before the transaction and its snapshot
 */
export async function scoped<T>(
  pool: Db,
  scope: Scope,
  operatorId: number,
  work: (db: Db) => Promise<T>,
  mode: keyof typeof BEGIN = 'write',
  before?: (db: Db) => Promise<void>,
): Promise<T> {
  const tree = scope.kind === 'agents' ? agentBits(scope.ids).text : '';
  const begin =
    `begin${BEGIN[mode]}; set local app.scope = '${scope.kind}'; set local app.tree = '${tree}'; ` +
    `set local app.operator = '${operatorId}'; ${LOCK[mode] ?? ''}`;
  return pool.connection().execute(async (db) => {
    await before?.(db);
    try {
      await sql.raw(begin).execute(db);
      const result = await work(db);
      await sql.raw('commit').execute(db);
      return result;
    } catch (error) {
      await sql
        .raw('rollback')
        .execute(db)
        .catch(() => undefined);
      throw error;
    }
  });
}

/** A transaction of the system itself, on the pool whose connections see everything. */
export async function inTransaction<T>(pool: Db, work: (db: Db) => Promise<T>): Promise<T> {
  return scoped(pool, { kind: 'all' }, 0, work);
}

/** From here to its end the transaction breaks (55P03) where it would wait longer than so many milliseconds for a row. */
export async function waitAtMost(db: Db, ms: number): Promise<void> {
  await sql.raw(`set local lock_timeout = ${ms}`).execute(db);
}

/** Undoes only `work` when it throws; what the transaction did before stays. */
export async function behindSavepoint<T>(db: Db, work: () => Promise<T>): Promise<T> {
  await sql`savepoint attempt`.execute(db);
  try {
    return await work();
  } catch (error) {
    await sql`rollback to savepoint attempt`.execute(db);
    throw error;
  }
}

/**
 * Runs `work` with every row in sight, in a transaction whose scope may be narrower: for what concerns the whole house and
 * not one tree. When it throws, its transaction or savepoint has to be rolled back, which restores the scope too.
 */
export async function withWholeHouse<T>(db: Db, work: () => Promise<T>): Promise<T> {
  const { rows } = await sql<{ scope: string }>`select current_setting('app.scope') as scope`.execute(db);
  await sql`select set_config('app.scope', 'all', true)`.execute(db);
  const result = await work();
  await sql`select set_config('app.scope', ${rows[0]?.scope ?? ''}, true)`.execute(db);
  return result;
}

const RETRIED = new Set(['40001', '40P01']);

/** Runs a whole transaction again when PostgreSQL says that it lost a race which a second try wins. */
export async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 6 || !RETRIED.has(sqlState(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * attempt));
    }
  }
}

/** PostgreSQL's five-character code of an error, or the empty string. */
export function sqlState(error: unknown): string {
  return error instanceof DatabaseError ? (error.code ?? '') : '';
}

/** The constraint that an insert or update broke, or the empty string. */
export function brokenConstraint(error: unknown): string {
  return error instanceof DatabaseError ? (error.constraint ?? '') : '';
}
