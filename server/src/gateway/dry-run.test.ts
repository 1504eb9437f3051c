import type { EventAnswer } from '@hengtai/contract/gateway/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onTron } from '../../test/address.ts';
import { makeUser } from '../../test/factories.ts';
import { type TestServer, platformCall, send, testServer, unique } from '../../test/server.ts';
import { checkBook } from '../books/ledger/check.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer({ jobs: false });
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});

type Sent = { eventId: string; type: string; at: number; data: object };
const event = (type: string, data: object, eventId = unique('e-')): Sent => ({
  eventId,
  type,
  at: server.clock.now(),
  data,
});
const dryRun = (events: readonly Sent[]) => platformCall<EventAnswer[]>(server, 'POST', 'events?dryRun=1', events);

const deposit = (account: string, amount: string) =>
  event('recharge.credited', {
    no: unique('R-'),
    account,
    market: 'USDT',
    ...onTron('any'),
    amount,
    confirmations: 9,
    source: 1,
  });
const withdrawal = (account: string, amount: string) =>
  event('withdraw.requested', {
    no: unique('W-'),
    account,
    market: 'USDT',
    ...onTron('any'),
    amount,
    fee: '1',
  });

/** A digest of every table, and the counters of the process. */
async function readEverything(): Promise<Record<string, unknown>> {
  const tables = await server.query(
    sql<{ name: string }>`select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  );
  expect(tables.length).toBeGreaterThan(40);
  const digests: Record<string, unknown> = {};
  for (const { name } of tables) {
    const [row] = await server.query(
      sql<{
        digest: string | null;
      }>`select md5(string_agg(t::text, ' ' order by t::text)) as digest from ${sql.table(name)} t`,
    );
    digests[name] = row?.digest;
  }
  const { gatewayEvents, gatewayFallbacks } = server.app.state.metrics;
  return { ...digests, events: await gatewayEvents.get(), fallbacks: await gatewayFallbacks.get() };
}

/** Events that depend on each other, with every kind of answer among them. */
async function makeEvents(): Promise<Sent[]> {
  const [poor, account] = [await makeUser(server), unique('user')];
  const [applied] = [deposit(poor, '1')];
  await send(server, applied);
  const first = deposit(account, '100');
  const order = { account, market: 'BTC', side: 1, type: 1, price: '50000', amount: '0.001' };
  const no = unique('O-');
  const transfer = { no: unique('T-'), account, toAccount: account, market: 'USDT', platform: 1, toPlatform: 2 };
  return [
    deposit(account, '5'),
    event('user.registered', { account }),
    first,
    first,
    { ...first, data: { ...first.data, amount: '101' } },
    applied,
    { ...applied, data: { ...applied.data, amount: '2' } },
    withdrawal(account, '60'),
    withdrawal(account, '60'),
    withdrawal(poor, '60'),
    event('user.registered', { account }),
    event('transfer.made', { ...transfer, amount: '40' }),
    event('transfer.made', { ...transfer, no: unique('T-'), amount: '0.000000000000000001' }),
    event('order.placed', { no, ...order }),
    event('order.placed', { no: unique('O-'), ...order }),
    event('order.placed', { no: unique('O-'), ...order, amount: '0.0000001' }),
    event('tick', { market: 'BTC', price: '50000', at: server.clock.now() }),
    event('nonsense', {}),
    event('user.login', { account, ip: 'nowhere' }),
  ];
}

describe.each(['history', 'live'])('a dry run in %s mode', (mode) => {
  beforeAll(async () => {
    await server.query(sql`update installation set live = ${mode === 'live' ? 1 : 0}`);
  });

  test('gives the answers of the call that follows, and leaves nothing', async () => {
    const events = await makeEvents();
    const before = await readEverything();
    const dry = await dryRun(events);
    expect(dry.code).toBe(200);
    expect(await dryRun(events)).toEqual(dry);
    expect(await readEverything()).toEqual(before);

    const real = await platformCall<EventAnswer[]>(server, 'POST', 'events', events);
    expect(dry.data).toEqual(real.data);
    const kinds = new Set(real.data.map(({ result, reason = '' }) => `${result} ${reason.split(':')[0]}`));
    for (const kind of ['applied ', 'duplicate ', 'rejected conflict', 'rejected insufficient', 'rejected exists'])
      expect(kinds).toContain(kind);
    expect(await readEverything()).not.toEqual(before);
  });

  test('works with as many events as a call may have', async () => {
    const account = await makeUser(server);
    const events = Array.from({ length: 1_000 }, () => deposit(account, '1'));
    const before = await readEverything();
    const { code, data } = await dryRun(events);
    expect([code, new Set(data.map(({ result }) => result))]).toEqual([200, new Set(['applied'])]);
    expect(await readEverything()).toEqual(before);
    expect(await dryRun([...events, deposit(account, '1')])).toMatchObject({ code: 422, error: 'too_many_events' });
  });
});

test('dry runs beside the same events change no answer', async () => {
  const account = await makeUser(server);
  const events = Array.from({ length: 40 }, () => deposit(account, '1'));
  const calls = Array.from({ length: 8 }, (_, index) =>
    index % 2 === 0 ? dryRun(events) : platformCall<EventAnswer[]>(server, 'POST', 'events', events),
  );
  const answers = await Promise.all(calls);
  const applied = answers.flatMap(({ data }, index) =>
    index % 2 === 0 ? [] : data.filter(({ result }) => result === 'applied'),
  );
  expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 200));
  expect(applied).toHaveLength(40);
});

test('a row that somebody has locked makes it answer 503', async () => {
  const account = await makeUser(server, { amount: '10' });
  const request = withdrawal(account, '5');
  await server.owner.transaction().execute(async (db) => {
    await sql`select 1 from users where account = ${account} for update`.execute(db);
    expect(await dryRun([request])).toMatchObject({ code: 503, error: 'unavailable' });
  });
  expect((await dryRun([request])).data).toMatchObject([{ result: 'applied' }]);
});

test.each(['dryRun=0', 'dryRun=', 'dryRun', 'dryRun=true', 'dryRun=01', 'dryRun=1&dryRun=1', 'dryrun=1', 'x=1'])(
  'the query %s is refused, and nothing is applied',
  async (query) => {
    const registered = event('user.registered', { account: unique('user') });
    expect(await platformCall(server, 'POST', `events?${query}`, [registered])).toMatchObject({
      code: 422,
      error: 'invalid',
    });
    expect(await send(server, registered)).toMatchObject([{ result: 'applied' }]);
  },
);
