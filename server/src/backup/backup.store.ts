import { sql } from 'kysely';
import { type ClientBase, escapeIdentifier, escapeLiteral } from 'pg';
import type { CopyToStreamQuery } from 'pg-copy-streams';
import type { Db } from '../database/connect.ts';
import type { AppliedMigration, Manifest } from './manifest.ts';

/** A table to back up. */
export interface Table {
  name: string;
  /** Without generated columns, which PostgreSQL recomputes. */
  columns: string[];
  /** Columns of the primary key, in its order; empty if there is none. */
  key: string[];
}

/** Tables that a restore fills by running the migrations and by rebuilding the counters, or that running servers fill. */
const DERIVED_TABLES = [
  'migration_lock',
  'schema_migration',
  'server_lease',
  'counter_address_delta',
  'counter_address_scope',
  'counter_address',
  'counter',
  'counter_delta',
  'counter_scope',
  'counter_time',
];

/** Finds every table whose rows cannot be derived. */
export async function findTables(client: ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname as name,
       (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
       coalesce((select array_agg(a.attname::text order by array_position(i.indkey::smallint[], a.attnum)) from pg_index i
         join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
         where i.indrelid = c.oid and i.indisprimary), '{}') as key
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = current_schema() and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all($1)
     order by c.relname`,
    [DERIVED_TABLES],
  );
  return rows;
}

/** COPY statement that reads a table in a fixed order, so that equal rows give equal bytes. */
export function copyOut({ name, columns, key }: Pick<Table, 'name' | 'columns' | 'key'>): string {
  const order = (key.length > 0 ? key : columns).map(escapeIdentifier).join(', ');
  const fields = columns.map(escapeIdentifier).join(', ');
  return `copy (select ${fields} from ${escapeIdentifier(name)} order by ${order}) to stdout`;
}

/** COPY statement that loads a table. */
export const copyIn = (table: string, columns: readonly string[]): string =>
  `copy ${escapeIdentifier(table)} (${columns.map(escapeIdentifier).join(', ')}) from stdin`;

/** The next value of every identity column. */
export async function findIdentities(client: ClientBase): Promise<Manifest['identities']> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(
    `select table_name as table, column_name as column,
       pg_get_serial_sequence(quote_ident(table_name), column_name) as sequence
     from information_schema.columns where table_schema = current_schema() and is_identity = 'YES'
     order by table_name, column_name`,
  );
  const identities: Manifest['identities'] = [];
  for (const { table, column, sequence } of rows) {
    const { rows: next } = await client.query<{ next: string }>(
      `select case when is_called then last_value + 1 else last_value end as next from ${sequence}`,
    );
    identities.push({ table, column, next: Number(next[0]?.next) });
  }
  return identities;
}

/**
 * Restores the next value of every identity column.
 *
 * @throws Error if a row has it already
 */
export async function setIdentities(client: ClientBase, identities: Manifest['identities']): Promise<void> {
  for (const { table, column, next } of identities) {
    const sequence = `pg_get_serial_sequence(${escapeLiteral(escapeIdentifier(table))}, ${escapeLiteral(column)})`;
    const { rows } = await client.query<{ free: boolean }>(
      `select setval(${sequence}, $1, false) > coalesce(max(${escapeIdentifier(column)}), 0) as free
       from ${escapeIdentifier(table)}`,
      [next],
    );
    if (rows[0]?.free !== true)
      throw new Error(`The next ${column} of ${table} in the backup is in use. 恢复校验失败。`);
  }
}

export async function findMigrations(client: ClientBase): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    'select version, name, checksum from schema_migration order by version',
  );
  return rows;
}

/** Whether the database contains an installation. */
export async function isInUse(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ known: string | null }>(`select to_regclass('installation') as known`);
  if (rows[0]?.known == null) return false;
  const { rows: found } = await client.query('select 1 from installation');
  return found.length > 0;
}

/**
 * Drops all foreign keys, because entries and legs refer to each other and no load order satisfies them.
 *
 * @returns a function that adds them again; it throws if a row violates one
 */
export async function dropReferences(client: ClientBase): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace and conparentid = 0
     order by 1, 2`,
  );
  for (const { table, name } of rows)
    await client.query(`alter table ${table} drop constraint ${escapeIdentifier(name)}`);
  return async () => {
    for (const { table, name, definition } of rows) {
      await client.query(`alter table ${table} add constraint ${escapeIdentifier(name)} ${definition}`);
    }
  };
}

/** Deletes all rows, including those that migrations inserted; the backup contains them too. */
export async function emptyTables(client: ClientBase, tables: readonly Table[]): Promise<void> {
  if (tables.length === 0) return;
  await client.query(`truncate ${tables.map(({ name }) => escapeIdentifier(name)).join(', ')}`);
}

export async function rebuildCounters(client: ClientBase): Promise<void> {
  await client.query('select rebuild_counters()');
  await client.query('select rebuild_addresses()');
}

/** The users' balances by coin, and the last hash of the audit chain. */
export async function fetchBalancesAndHead(
  client: ClientBase,
): Promise<{ owed: { market: string; amount: string }[]; head: string | null }> {
  const { rows: owed } = await client.query<{ market: string; amount: string }>(
    `select m.market_name as market, trim_scale(sum(a.balance))::text as amount
     from account a join market m on m.id = a.market_id where a.user_id is not null
     group by m.market_name order by m.market_name`,
  );
  const { rows: seals } = await client.query<{ hash: string }>('select hash from audit_seal order by seq desc limit 1');
  return { owed, head: seals[0]?.hash ?? null };
}

/** Begins a read-only transaction and exports its snapshot, so that other connections can read the same state. */
export async function beginSnapshot(client: ClientBase): Promise<string> {
  await client.query(`begin isolation level repeatable read read only; set local app.scope = 'all'`);
  const { rows } = await client.query<{ id: string }>('select pg_export_snapshot() as id');
  return rows[0]?.id ?? '';
}

/** Runs `work` in a snapshot that another connection has exported and still holds. */
export async function inSnapshot<T>(pool: Db, id: string, work: (db: Db) => Promise<T>): Promise<T> {
  return pool.connection().execute(async (db) => {
    await sql
      .raw(
        `begin isolation level repeatable read read only; set transaction snapshot ${escapeLiteral(id)}; set local app.scope = 'all'`,
      )
      .execute(db);
    try {
      return await work(db);
    } finally {
      await sql.raw('rollback').execute(db);
    }
  });
}

/** The number of rows of a copy that was read to its end: PostgreSQL reports it after the last row. */
export async function countCopied(client: ClientBase, copied: CopyToStreamQuery): Promise<number> {
  await client.query('select');
  return copied.rowCount;
}
