// @module-tag full
import { Socket } from 'node:net';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type TestDatabase, queryAt, testDatabase } from '../../test/database.ts';
import { type ReplicaPair, startReplicaPair } from '../../test/replica.ts';
import { openPool } from './connect.ts';
import { checkSession } from './login.ts';

const onError = (): void => undefined;

describe('a pool', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.drop());
  afterEach(() => void vi.restoreAllMocks());

  test('applies its settings by a statement, because PgBouncer drops those of the startup message', async () => {
    const settings = { 'app.scope': 'all', statement_timeout: '7000' };
    const { db, end } = openPool({ url: database.url, max: 1, name: 'test-settings', settings, onError });
    const { rows } = await sql<{ scope: string; timeout: string }>`
      select current_setting('app.scope') as scope, current_setting('statement_timeout') as timeout`.execute(db);
    await end();
    expect(rows).toEqual([{ scope: 'all', timeout: '7s' }]);
  });

  test('replaces a connection that was ended, with the same settings', async () => {
    const settings = { 'app.scope': 'all' };
    const { db, end } = openPool({ url: database.url, max: 1, name: 'test-replaced', settings, onError });
    const fetchState = async (): Promise<{ pid: number; scope: string } | undefined> =>
      (
        await sql<{
          pid: number;
          scope: string;
        }>`select pg_backend_pid() as pid, current_setting('app.scope') as scope`.execute(db)
      ).rows[0];
    const first = await fetchState();
    await queryAt(database.url, `select pg_terminate_backend(${first?.pid ?? 0})`);
    await expect.poll(() => fetchState().catch(() => first)).not.toMatchObject({ pid: first?.pid });
    expect(await fetchState()).toMatchObject({ scope: 'all' });
    await end();
  });

  test('probes idle connections, so that those to a machine that disappeared end', async () => {
    const probes = vi.spyOn(Socket.prototype, 'setKeepAlive');
    const { db, end } = openPool({ url: database.url, max: 1, name: 'test-keepalive', onError });
    await sql`select 1 as one`.execute(db);
    await end();
    expect(probes).toHaveBeenCalledWith(true, 10_000);
  });

  test('is refused behind a pooler that shares sessions between clients', async () => {
    await expect(checkSession(database.url)).resolves.toBeUndefined();
    // In transaction mode the first client gets another session for its second statement.
    const pids = [1, 1, 2];
    await expect(checkSession(database.url, async () => pids.shift())).rejects.toThrow('pool_mode = session');
  });
});

/** Skipped with an external PostgreSQL, for which the test cannot create a replica. */
describe.skipIf(process.env['DATABASE_URL'] !== undefined && process.env['DATABASE_URL'] !== '')('a failover', () => {
  let pair: ReplicaPair;
  beforeAll(async () => {
    pair = await startReplicaPair();
  }, 120_000);
  afterAll(() => pair.database.drop(), 60_000);

  test('a pool for the primary refuses a standby, and other pools accept it', async () => {
    const open = (primaryOnly: boolean) =>
      openPool({ url: pair.replicaUrl, max: 1, name: 'test-standby', primaryOnly, onError });
    const [primary, any] = [open(true), open(false)];
    await expect(sql`select 1 as one`.execute(primary.db)).rejects.toThrow('is a standby');
    expect(primary.use()).toMatchObject({ open: 0 });
    expect((await sql`select 1 as one`.execute(any.db)).rows).toEqual([{ one: 1 }]);
    await Promise.all([primary.end(), any.end()]);
  });
});
