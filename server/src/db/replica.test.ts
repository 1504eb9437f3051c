// @module-tag full
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ABILITY } from '@hengtai/contract/ability';
import type { Page } from '@hengtai/contract/list';
import type { WithdrawRow } from '@hengtai/contract/withdraw.schema';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { pino } from 'pino';
import { makeOperator, makeUser, makeWithdraw, type TestOperator } from '../../test/factories.ts';
import { type Pair, startPair } from '../../test/replica.ts';
import { type TestServer, call, login, testServer } from '../../test/server.ts';
import { type Db, openPool } from './connect.ts';
import { type Replica, openReplica } from './replica.ts';
import { withoutAppScoping } from './scope.ts';

/** A PostgreSQL that was given from outside has no replica that a test could make. */
describe.skipIf(process.env['DATABASE_URL'] !== undefined && process.env['DATABASE_URL'] !== '')('a replica', () => {
  let pair: Pair;
  let server: TestServer;
  let standby: { db: Db; end: () => Promise<void> };
  let admin: string;
  let operator: TestOperator;
  let user: string;
  /** Reads that the replica did since the last test. */
  let served = 0;

  beforeAll(async () => {
    pair = await startPair();
    const auditDir = await mkdtemp(join(tmpdir(), 'hengtai-audit-'));
    server = await testServer({ jobs: false, on: { database: pair.database, auditDir }, replica: pair.replicaAppUrl });
    standby = openPool({ url: pair.replicaUrl, max: 1, name: 'test-standby', onError: () => undefined });
    const { replica } = server.app;
    if (!replica) throw new Error('The server has no replica.');
    const read: Replica['read'] = async (...asked) => {
      const done = await replica.read(...asked);
      if (done) served += 1;
      return done;
    };
    server.app.replica = { ...replica, read };
    admin = await login(server);
    operator = await makeOperator(server, admin, { abilities: [ABILITY.withdraw, ABILITY.assets] });
    user = await makeUser(server, { agent: operator.account, amount: '100000' });
  }, 120_000);
  afterEach(async () => {
    await replay('resume');
    served = 0;
  });
  afterAll(async () => {
    await standby?.end();
    await server?.stop();
  }, 60_000);

  const replay = (what: 'pause' | 'resume') =>
    sql`select ${sql.raw(`pg_wal_replay_${what}()`)}`.execute(standby.db).catch(() => undefined);
  const list = (token = admin, input: object = {}) =>
    call<Page<WithdrawRow>>(server, 'GET', 'withdraw/list', input, { token });
  const inUse = () => expect.poll(async () => (await list(), served), { timeout: 30_000 }).toBeGreaterThan(0);
  const stateOf = async (row: WithdrawRow): Promise<number | undefined> =>
    (await list(admin, { no: row.no })).data.list[0]?.state;

  test('lists are read from it, with what was committed the moment before', async () => {
    await inUse();
    for (let n = 0; n < 20; n += 1) {
      const row = await makeWithdraw(server, admin, user, { amount: '10' });
      await call(server, 'POST', 'withdraw/pass', { id: row.id }, { token: admin });
      expect(await stateOf(row)).toBe(2);
    }
    expect(served).toBeGreaterThan(10);
  });

  test('one that is behind is left alone: what was decided never jumps back', async () => {
    await inUse();
    const row = await makeWithdraw(server, admin, user, { amount: '10' });
    expect(await stateOf(row)).toBe(0);
    await replay('pause');
    await call(server, 'POST', 'withdraw/pass', { id: row.id }, { token: admin });
    served = 0;
    for (let n = 0; n < 5; n += 1) expect(await stateOf(row)).toBe(2);
    expect(served).toBe(0);
    await replay('resume');
    await inUse();
    expect(await stateOf(row)).toBe(2);
  });

  test('single-record reads and all actions ask the primary', async () => {
    await inUse();
    served = 0;
    await call(server, 'GET', 'config/list', {}, { token: admin });
    await call(server, 'GET', 'me', {}, { token: admin });
    await makeUser(server);
    expect(served).toBe(0);
  });

  test('shows a tree its own rows only, also where no statement says so', async () => {
    await inUse();
    const other = await makeUser(server, { amount: '1000' });
    await makeWithdraw(server, admin, other, { amount: '10' });
    served = 0;
    withoutAppScoping(true);
    try {
      const { data } = await list(operator.token, { size: 200 });
      expect(new Set(data.list.map(({ account }) => account))).toEqual(new Set([user]));
      expect(data.total).toBe(data.list.length);
    } finally {
      withoutAppScoping(false);
    }
    expect(served).toBe(1);
  });

  test('exports come from it as well', async () => {
    await inUse();
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

  test('one that goes away is missed by nobody, and used again when it is back', async () => {
    await inUse();
    const { total } = (await list()).data;
    await standby.end();
    await pair.stopReplica();
    served = 0;
    for (let n = 0; n < 3; n += 1) expect(await list()).toMatchObject({ code: 200, data: { total } });
    expect(served).toBe(0);
    await pair.startReplica();
    standby = openPool({ url: pair.replicaUrl, max: 1, name: 'test-standby', onError: () => undefined });
    await inUse();
  }, 60_000);

  describe('is refused', () => {
    const said: string[] = [];
    const opened = (url: string): Replica => {
      const log = pino({ level: 'warn' }, { write: (line: string) => void said.push(line) });
      return openReplica({ url, primary: server.app.system, max: 1, settings: {}, log });
    };
    const refusedFor = async (url: string, reason: string): Promise<void> => {
      const replica = opened(url);
      const at = {
        scope: { kind: 'all' } as const,
        operator: { id: 1, account: '', top: true, abilities: [] },
        position: '0/0',
      };
      expect(
        await replica.read(
          at,
          async () => 'read',
          () => true,
        ),
      ).toBeUndefined();
      expect(said.join('')).toContain(reason);
      await replica.end();
    };

    test('where the role sees every row', () => refusedFor(pair.replicaUrl, 'row-level security does not apply'));
    test('where it is no replica', () => refusedFor(pair.database.appUrl, 'names no replica'));
    test('where nobody answers', () => refusedFor('postgres://nobody:x@127.0.0.1:1/hengtai', 'ECONNREFUSED'));
  });
});
