import { Client, DatabaseError } from 'pg';

/** A lock in one of these modes makes the file wait for its own in each way that a server can. */
const BLOCKING_MODES = ['access share', 'row exclusive', 'share'] as const;

interface Table {
  oid: number;
  name: string;
}

/**
 * Runs the statements of a migration while another session holds locks on each table that they lock, and undoes them.
 *
 * @returns each wait for a lock in which the migration holds another one that a server would wait for: a deadlock
 */
export async function findWaitsWithLocks(url: string, sql: string): Promise<string[]> {
  const clients = [0, 1, 2].map(() => new Client({ connectionString: url }));
  const [migration, blocker, observer] = clients as [Client, Client, Client];
  await Promise.all(clients.map((client) => client.connect()));
  try {
    const existing = await observer.query<Table>(
      `select oid::int, relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
    );
    const attempt = { migration, blocker, observer, sql, existing: existing.rows };
    const found: string[] = [];
    for (const table of await findLocked(attempt)) {
      for (const mode of BLOCKING_MODES) found.push(...(await findHeldInWait(attempt, table, mode)));
    }
    return [...new Set(found)];
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

interface Attempt {
  migration: Client;
  blocker: Client;
  observer: Client;
  sql: string;
  /** The tables from before the migration. */
  existing: Table[];
}

async function fetchPid(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

/** The existing tables that the migration locks for more than reading. */
async function findLocked({ migration, observer, sql, existing }: Attempt): Promise<Table[]> {
  await migration.query('begin');
  await migration.query(sql);
  const held = await fetchHeld(observer, await fetchPid(migration), existing);
  await migration.query('rollback');
  const names = new Set(held.map(({ name }) => name));
  return existing.filter(({ name }) => names.has(name));
}

async function fetchHeld(
  observer: Client,
  pid: number,
  existing: readonly Table[],
): Promise<{ name: string; mode: string }[]> {
  const { rows } = await observer.query<{ name: string; mode: string }>(
    `select relation::regclass::text as name, mode from pg_locks where pid = $1 and granted and relation = any($2::oid[])
      and mode <> 'AccessShareLock' order by name, mode`,
    [pid, existing.map(({ oid }) => oid)],
  );
  return rows;
}

/** What the migration holds while it waits for a table. */
async function findHeldInWait(
  { migration, blocker, observer, sql, existing }: Attempt,
  { name }: Table,
  mode: string,
): Promise<string[]> {
  await blocker.query(`begin; lock table "${name}" in ${mode} mode`);
  await migration.query('begin');
  const pid = await fetchPid(migration);
  const progress = { hasEnded: false };
  const running = migration
    .query(sql)
    .catch((error: unknown) => {
      // It does not wait for a lock that it asks for with "nowait".
      if (!(error instanceof DatabaseError && error.code === '55P03')) throw error;
    })
    .finally(() => (progress.hasEnded = true));
  running.catch(() => undefined);
  const blockerPid = await fetchPid(blocker);
  // PostgreSQL's own workers can hold a catalog for a moment: only a wait for the blocker counts.
  const isWaiting = async (): Promise<boolean> =>
    (await observer.query('select where $2 = any(pg_blocking_pids($1))', [pid, blockerPid])).rowCount !== 0;
  let waits = false;
  while (!progress.hasEnded && !waits) waits = await isWaiting();
  const held = waits ? await fetchHeld(observer, pid, existing) : [];
  await blocker.query('rollback');
  await running;
  await migration.query('rollback');
  return held.map((one) => `waits for ${name} while it holds ${one.name} (${one.mode})`);
}
