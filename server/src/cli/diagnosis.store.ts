import { sql } from 'kysely';
import type { Db } from '../database/connect.ts';

// What `doctor` and `support-bundle` read about a database. No personal data.

export interface DatabaseFacts {
  version: number;
  encoding: string;
  /** Unix ms. */
  now: number;
  superuser: boolean;
  size: number;
}

export async function findDatabaseFacts(db: Db): Promise<DatabaseFacts> {
  const { rows } = await sql<DatabaseFacts>`
    select current_setting('server_version_num')::int as version, pg_encoding_to_char(d.encoding) as encoding,
      (extract(epoch from clock_timestamp()) * 1000)::bigint as now,
      (select rolsuper from pg_roles where rolname = current_user) as superuser,
      pg_database_size(d.oid) as size
    from pg_database d where d.datname = current_database()`.execute(db);
  const [facts] = rows;
  if (!facts) throw new Error('The database does not describe itself.');
  return facts;
}

const SETTINGS = [
  'fsync',
  'full_page_writes',
  'synchronous_commit',
  'jit',
  'random_page_cost',
  'shared_buffers',
  'work_mem',
  'max_connections',
  'log_min_error_statement',
  'log_error_verbosity',
  'wal_level',
  'archive_mode',
] as const;

export type Settings = Readonly<Record<(typeof SETTINGS)[number], string>>;

/** The settings as PostgreSQL shows them, with units. */
export async function findSettings(db: Db): Promise<Settings> {
  const { rows } = await sql<{ name: string; setting: string }>`
    select name, current_setting(name) as setting from pg_settings where name = any(${[...SETTINGS]})`.execute(db);
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting])) as Settings;
}

/** When four-eyes were locked, in Unix ms; null while they are open. */
export async function findLock(db: Db): Promise<number | null> {
  const { rows } = await sql<{ at: number | null }>`
    select four_eyes_locked_at as at from installation`.execute(db);
  return rows[0]?.at ?? null;
}

export interface TableSize {
  name: string;
  /** Estimated by the last analyze; -1 if there was none. */
  rows: number;
  table: number;
  indexes: number;
}

/** Tables by size in bytes, the largest first. */
export async function findTableSizes(db: Db): Promise<TableSize[]> {
  const { rows } = await sql<TableSize>`
    select c.relname as name, c.reltuples::bigint as rows, pg_table_size(c.oid) as table, pg_indexes_size(c.oid) as indexes
    from pg_class c where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace
    order by pg_total_relation_size(c.oid) desc, c.relname`.execute(db);
  return rows;
}

export interface ConnectionCount {
  program: string;
  state: string;
  waiting: string;
  count: number;
}

/** Connections of this database by program and state. */
export async function countConnections(db: Db): Promise<ConnectionCount[]> {
  const { rows } = await sql<ConnectionCount>`
    select case when application_name like 'hengtai-%' then application_name else 'other' end as program,
      coalesce(state, 'none') as state, coalesce(wait_event_type, 'none') as waiting, count(*)::int as count
    from pg_stat_activity where datname = current_database() group by 1, 2, 3 order by 1, 2, 3`.execute(db);
  return rows;
}

export interface KindCount {
  what: string;
  kind: string;
  count: number;
}

/** Alarms that are open and commands by type and state. */
export async function countWork(db: Db): Promise<KindCount[]> {
  const { rows } = await sql<KindCount>`
    select 'open alarm' as what, kind, count(*)::int as count from alarm where closed_at is null group by kind
    union all
    select format('command in state %s', state), type, count(*)::int from command group by type, state
    order by 1, 2`.execute(db);
  return rows;
}
