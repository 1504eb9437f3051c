import { sql } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { onTron } from '../../test/address.ts';
import { makeUser } from '../../test/factories.ts';
import { provideServer, send } from '../../test/server.ts';

const server = provideServer({ jobs: false });
let account = '';

beforeAll(async () => {
  account = await makeUser(server);
});

const isInsertBlocked = async (): Promise<boolean> =>
  (
    await server.query(
      sql<{ n: number }>`select count(*) as n from pg_locks where not granted and relation = 'inbox'::regclass`,
    )
  )[0]?.n === 1;

test('shutdown waits for a running call whose client has disconnected', async () => {
  const running = await server.owner.transaction().execute(async (db) => {
    await sql`lock table inbox in share row exclusive mode`.execute(db);
    const data = { no: 'E1', account, market: 'USDT', ...onTron('any'), amount: '5', confirmations: 20, source: 1 }; // prettier-ignore
    const answer = send(server, { type: 'recharge.credited', data, eventId: 'running' });
    await vi.waitUntil(isInsertBlocked, { timeout: 20_000 });
    return { answer, end: server.server.close() };
  });
  await running.end;
  expect(await server.query(sql`select event_id from inbox where event_id = 'running'`)).toHaveLength(1);
  expect(await running.answer).toMatchObject([{ result: 'applied' }]);
});
