// @module-tag full
import { type IncomingMessage, request } from 'node:http';
import type { AuditRow } from '@hengtai/contract/house/audit/schema';
import { API_BASE } from '@hengtai/contract/wire/endpoint';
import type { Page } from '@hengtai/contract/wire/list';
import { sql } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { exportFile } from '../../test/export.ts';
import { makeOperator, makeUser } from '../../test/factories.ts';
import { listRecharges } from '../domains/funds/recharge/recharge.store.ts';
import { fetchData, login, provideServer } from '../../test/server.ts';

/** Enough rows that a file exceeds the buffers of a connection whose client does not read. */
const ROWS = 60_000;

const server = provideServer({ jobs: false, exports: { jobRows: ROWS } });
let port: number;
let admin: string;

beforeAll(async () => {
  admin = await login(server);
  await makeUser(server, { account: 'streamed' });
  await server.query(sql`insert into recharge (no, user_id, agent_id, market_id, network, address, amount, remark, source, state,
      created_at, recorded_at, updated_at)
    select 'S-' || n, u.id, u.agent_id, 1, 'TRC20', md5(n::text), 1, (select string_agg(md5(n || '-' || k), '') from generate_series(1, 10) k), 1, 0, n, n, n
    from generate_series(1, ${sql.lit(ROWS)}) n, users u where u.account = 'streamed'`);
  await server.server.listen({ port: 0, host: '127.0.0.1' });
  const address = server.server.server.address();
  port = typeof address === 'object' && address ? address.port : 0;
});

/** Requests a file and reads only the response headers. */
function startExport(token: string, format = 'csv'): Promise<IncomingMessage> {
  const headers = { token, 'content-type': 'application/json' };
  const path = `${API_BASE}recharge/excel`;
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, method: 'POST', path, headers, agent: false });
    outgoing.on('response', (response) => {
      // Tests interrupt the response on purpose, so its errors are expected.
      response.on('error', () => undefined);
      resolve(response.pause());
    });
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify({ format }));
  });
}

/** Database connections that read a list and idle between two fetches. */
const findPaused = (): Promise<{ pid: number }[]> =>
  server.query(sql<{ pid: number }>`select pid from pg_stat_activity where datname = current_database()
    and state = 'idle in transaction' and query like 'fetch forward%' and clock_timestamp() - state_change > interval '300 ms'`);

async function until<T>(ask: () => Promise<T>, done: (found: T) => boolean): Promise<T> {
  for (;;) {
    const found = await ask();
    if (done(found)) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
const waitForPaused = (count: number) => until(findPaused, ({ length }) => length === count);

async function endOf(response: IncomingMessage): Promise<{ whole: boolean; bytes: number; tail: string }> {
  let bytes = 0;
  let tail = '';
  try {
    for await (const chunk of response) {
      bytes += (chunk as Buffer).length;
      tail = String(chunk).slice(-200);
    }
    return { whole: response.complete, bytes, tail };
  } catch {
    return { whole: false, bytes, tail };
  }
}

const waitForAudit = (result: number, requestId: string) =>
  until(
    async () => await fetchData<Page<AuditRow>>(server, admin, 'audit/list', { action: 'export', result, requestId }),
    ({ total }) => total === 1,
  );
const idOf = (response: IncomingMessage): string => String(response.headers['x-request-id']);

/** Passes the batches of the list through a generator of the test. */
function interceptBatches(through: (batches: AsyncGenerator<unknown[]>) => AsyncGenerator<unknown[]>) {
  const readAll = listRecharges.readAll.bind(undefined);
  return vi.spyOn(listRecharges, 'readAll').mockImplementation(async (ctx, input) => {
    const found = await readAll(ctx, input);
    return { ...found, batches: through(found.batches) };
  });
}

test('reads rows only as fast as the client receives them', async () => {
  let read = 0;
  const spy = interceptBatches(async function* (batches) {
    for await (const rows of batches) {
      read += rows.length;
      yield rows;
    }
  });
  try {
    const response = await startExport(admin);
    await waitForPaused(1);
    expect(read).toBeGreaterThan(0);
    // Rows that were read but not received fit into the buffers of both ends of the connection.
    expect(read).toBeLessThan(ROWS * 0.7);
    const { whole: complete, bytes, tail } = await endOf(response);
    expect([complete, read]).toEqual([true, ROWS]);
    expect(bytes).toBeGreaterThan(ROWS * 400);
    expect(tail).toMatch(/\r\n$/);
    await waitForPaused(0);
  } finally {
    spy.mockRestore();
  }
});

test('ends the transaction and audits 499 when the client disconnects', async () => {
  const response = await startExport(admin);
  await waitForPaused(1);
  response.destroy();
  await waitForPaused(0);
  const { list } = await waitForAudit(499, idOf(response));
  expect(list).toMatchObject([{ operator: 'admin', targetType: 'recharge', after: { rows: ROWS, format: 'csv' } }]);
  await waitForAudit(200, idOf(response));
});

test('closes the connection and audits 500 when the database fails in the middle', async () => {
  for (const format of ['csv', 'xlsx']) {
    const response = await startExport(admin, format);
    const [one] = await waitForPaused(1);
    await server.query(sql`select pg_terminate_backend(${one?.pid ?? 0}::int)`);
    const { whole, bytes } = await endOf(response);
    expect([whole, bytes > 0]).toEqual([false, true]);
    await waitForAudit(500, idOf(response));
  }
});

test.each(['ECONNRESET', 'EPIPE'])(
  'audits 500, not a disconnect, when the database connection fails with %s',
  async (code) => {
    const spy = interceptBatches(async function* (batches) {
      for await (const rows of batches) {
        yield rows;
        throw Object.assign(new Error('read'), { code });
      }
    });
    try {
      const response = await startExport(admin);
      expect((await endOf(response)).whole).toBe(false);
      await waitForAudit(500, idOf(response));
    } finally {
      spy.mockRestore();
    }
  },
);

test('allows one export per operator and two in total, and refuses others with 429', async () => {
  const second = await makeOperator(server, admin, { abilities: [10, 13] });
  const third = await makeOperator(server, admin, { abilities: [10, 13] });
  const one = await startExport(admin);
  await waitForPaused(1);
  const own = await exportFile(server, 'user/excel', {}, admin);
  expect([own.status, own.envelope?.code, own.envelope?.msg]).toEqual([
    429,
    429,
    '您有正在进行的导出，请等待完成或取消后再试',
  ]);
  const two = await startExport(second.token);
  await waitForPaused(2);
  const other = await exportFile(server, 'user/excel', {}, third.token);
  expect([other.status, other.envelope?.msg]).toEqual([429, '正在进行的导出过多，请稍后再试']);
  one.destroy();
  await waitForPaused(1);
  await waitForAudit(499, idOf(one));
  expect((await exportFile(server, 'user/excel', {}, third.token)).envelope).toBeUndefined();
  two.destroy();
  await waitForPaused(0);
});
