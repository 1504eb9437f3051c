// @module-tag full
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ABILITY } from '@hengtai/contract/authority/ability';
import type { Page } from '@hengtai/contract/wire/list';
import type { WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { pino } from 'pino';
import { makeOperator, makeUser, makeWithdraw, type TestOperator } from '../../test/factories.ts';
import { type ReplicaPair, startReplicaPair } from '../../test/replica.ts';
import { type TestServer, call, login, testServer } from '../../test/server.ts';
import { type Db, openPool } from './connect.ts';
import { type Replica, openReplica } from './replica.ts';
import type * as ScopeModule from './scope.ts';

const layers = vi.hoisted(() => {
  // Other test files of this worker may have loaded the modules with the real conditions.
  vi.resetModules();
  return { app: true };
});
vi.mock('./scope.ts', async (original) => {
  const { switchScopeLayer } = await import('../../test/scope-layer.ts');
  return switchScopeLayer(await original<typeof ScopeModule>(), layers);
});
afterAll(() => vi.resetModules());

/** Skipped with an external PostgreSQL, for which the test cannot create a replica. */
describe.skipIf(process.env['DATABASE_URL'] !== undefined && process.env['DATABASE_URL'] !== '')('a replica', () => {
  let pair: ReplicaPair;
  let server: TestServer;
  let standby: { db: Db; end: () => Promise<void> };
  let admin: string;
  let operator: TestOperator;
  let user: string;
  /** Number of reads that the replica served since the last test. */
  let served = 0;

  beforeAll(async () => {
    pair = await startReplicaPair();
    const auditDir = await mkdtemp(join(tmpdir(), 'hengtai-audit-'));
    server = await testServer({
      jobs: false,
      existing: { database: pair.database, auditDir },
      replica: pair.replicaAppUrl,
    });
    standby = openPool({ url: pair.replicaUrl, max: 1, name: 'test-standby', onError: () => undefined });
    const { replica } = server.app;
    if (!replica) throw new Error('The server has no replica.');
    const read: Replica['read'] = async (...args) => {
      const result = await replica.read(...args);
      if (result) served += 1;
      return result;
    };
    server.app.replica = { ...replica, read };
    admin = await login(server);
    operator = await makeOperator(server, admin, { abilities: [ABILITY.withdraw, ABILITY.assets] });
    user = await makeUser(server, { agent: operator.account, amount: '100000' });
  }, 120_000);
  afterEach(async () => {
    await controlReplay('resume');
    served = 0;
  });
  afterAll(async () => {
    await standby?.end();
    await server?.stop();
  }, 60_000);

  const controlReplay = (action: 'pause' | 'resume') =>
    sql`select ${sql.raw(`pg_wal_replay_${action}()`)}`.execute(standby.db).catch(() => undefined);
  const list = (token = admin, input: object = {}) =>
    call<Page<WithdrawRow>>(server, 'GET', 'withdraw/list', input, { token });
  const waitUntilUsed = () => expect.poll(async () => (await list(), served), { timeout: 30_000 }).toBeGreaterThan(0);
  const stateOf = async (row: WithdrawRow): Promise<number | undefined> =>
    (await list(admin, { no: row.no })).data.list[0]?.state;

  test('serves lists that include what was committed just before', async () => {
    await waitUntilUsed();
    for (let n = 0; n < 20; n += 1) {
      const row = await makeWithdraw(server, admin, user, { amount: '10' });
      await call(server, 'POST', 'withdraw/pass', { id: row.id }, { token: admin });
      expect(await stateOf(row)).toBe(2);
    }
    expect(served).toBeGreaterThan(10);
  });

  test('is not used while it lags, so a decided withdrawal never appears undecided again', async () => {
    await waitUntilUsed();
    const row = await makeWithdraw(server, admin, user, { amount: '10' });
    expect(await stateOf(row)).toBe(0);
    await controlReplay('pause');
    await call(server, 'POST', 'withdraw/pass', { id: row.id }, { token: admin });
    served = 0;
    for (let n = 0; n < 5; n += 1) expect(await stateOf(row)).toBe(2);
    expect(served).toBe(0);
    expect((await server.app.replica?.lag())?.bytes).toBeGreaterThan(0);
    expect((await server.app.replica?.lag())?.seconds).toBeGreaterThan(0);
    await controlReplay('resume');
    await waitUntilUsed();
    await expect.poll(() => server.app.replica?.lag()).toEqual({ bytes: 0, seconds: 0 });
    expect(await stateOf(row)).toBe(2);
  });

  test('does not serve single-record reads and actions', async () => {
    await waitUntilUsed();
    served = 0;
    await call(server, 'GET', 'config/list', {}, { token: admin });
    await call(server, 'GET', 'me', {}, { token: admin });
    await makeUser(server);
    expect(served).toBe(0);
  });

  test('enforces the scope by row-level security alone', async () => {
    await waitUntilUsed();
    const other = await makeUser(server, { amount: '1000' });
    await makeWithdraw(server, admin, other, { amount: '10' });
    served = 0;
    layers.app = false;
    try {
      const { data } = await list(operator.token, { size: 200 });
      expect(new Set(data.list.map(({ account }) => account))).toEqual(new Set([user]));
      expect(data.total).toBe(data.list.length);
    } finally {
      layers.app = true;
    }
    expect(served).toBe(1);
  });

  test('serves exports', async () => {
    await waitUntilUsed();
    served = 0;
    const response = await server.server.inject({
      method: 'POST',
      url: '/api/v1/admin/withdraw/excel',
      headers: { token: admin, 'content-type': 'application/json' },
      payload: JSON.stringify({ format: 'csv' }),
    });
    expect(response.body.trim().split('\n')).toHaveLength((await list()).data.total + 1);
    expect(served).toBe(2);
  });

  test('can stop without failed lists, and is used again after its restart', async () => {
    await waitUntilUsed();
    const { total } = (await list()).data;
    await standby.end();
    await pair.stopReplica();
    served = 0;
    for (let n = 0; n < 3; n += 1) expect(await list()).toMatchObject({ code: 200, data: { total } });
    expect(served).toBe(0);
    await pair.startReplica();
    standby = openPool({ url: pair.replicaUrl, max: 1, name: 'test-standby', onError: () => undefined });
    await waitUntilUsed();
  }, 60_000);

  describe('is rejected', () => {
    const logLines: string[] = [];
    const open = (url: string): Replica => {
      const log = pino({ level: 'warn' }, { write: (line: string) => void logLines.push(line) });
      return openReplica({ url, primary: server.app.system, max: 1, settings: {}, log });
    };
    const expectRejection = async (url: string, reason: string): Promise<void> => {
      const replica = open(url);
      const caller = {
        scope: { kind: 'all' } as const,
        operator: { id: 1, account: '', top: true, abilities: [] },
        position: '0/0',
      };
      expect(
        await replica.read(
          caller,
          async () => 'read',
          'list',
          () => true,
        ),
      ).toBeUndefined();
      expect(logLines.join('')).toContain(reason);
      await replica.end();
    };

    test('if the role bypasses row-level security', () =>
      expectRejection(pair.replicaUrl, 'row-level security does not apply'));
    test('if it is not a replica', async () => {
      await expectRejection(pair.database.appUrl, 'names no replica');
      const replica = open(pair.database.appUrl);
      expect(await replica.lag()).toBeUndefined();
      await replica.end();
    });
    test('if it does not answer', () => expectRejection('postgres://nobody:x@127.0.0.1:1/hengtai', 'ECONNREFUSED'));
  });
});
