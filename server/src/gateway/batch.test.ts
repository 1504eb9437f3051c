import type { PlatformEvent } from '@hengtai/contract/gateway/events.schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onTron } from '../../test/address.ts';
import { makeMarket } from '../../test/book.ts';
import { makeUser } from '../../test/factories.ts';
import { type TestServer, apply, platformCall, send, testServer, unique } from '../../test/server.ts';
import { createProcessState } from '../app/process-state.ts';
import { checkBook } from '../books/ledger/check.ts';
import { platform } from '../modules.ts';
import { EventIntake } from './intake.ts';

let server: TestServer;

beforeAll(async () => {
  server = await testServer({ jobs: false });
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});

const results = async (...events: Parameters<typeof send> extends [TestServer, ...infer E] ? E : never) =>
  (await send(server, ...events)).map(({ result, reason }) => reason ?? result);

const recharge = (account: string, amount: string, no = unique('BR')) => ({
  type: 'recharge.credited',
  data: { no, account, market: 'USDT', ...onTron('any'), amount, confirmations: 20, source: 1 },
});
const transfer = (account: string, toAccount: string, amount: string) => ({
  type: 'transfer.made',
  data: { no: unique('BT'), account, toAccount, market: 'USDT', platform: 1, toPlatform: 1, amount },
});

async function balanceOf(account: string): Promise<string> {
  const answer = await platformCall<{ active: string }[]>(server, 'GET', `balances?account=${account}`);
  return answer.data[0]?.active ?? '0';
}
const inboxOf = async (eventId: string): Promise<number> =>
  (await server.query(sql<{ n: number }>`select count(*) as n from inbox where event_id = ${eventId}`))[0]?.n ?? -1;
const transactions = async (tag: string): Promise<number> =>
  (
    await server.query(sql<{ n: number }>`
      select count(distinct xmin::text) as n from recharge where no like ${`${tag}%`}`)
  )[0]?.n ?? 0;

/** The two modes differ in the size of their groups only. */
describe.each([0, 1])('events that come together, live: %i', (live) => {
  beforeAll(async () => {
    await server.query(sql`update installation set live = ${live}`);
  });

  test('each event sees what the events before it did', async () => {
    const [one, two] = [unique('b'), unique('b')];
    const register = (account: string) => ({ type: 'user.registered', data: { account } });
    const all = await results(
      register(one),
      register(two),
      recharge(one, '10'),
      transfer(one, two, '4'),
      transfer(two, one, '1'),
    );
    expect(all).toEqual(['applied', 'applied', 'applied', 'applied', 'applied']);
    expect([await balanceOf(one), await balanceOf(two)]).toEqual(['7', '3']);
  });

  test('a rejected event leaves no rows and stops no other event', async () => {
    const [one, two] = [await makeUser(server), await makeUser(server)];
    const eventId = unique('too-much-');
    const all = await results(
      recharge(one, '10'),
      { ...transfer(one, two, '11'), eventId },
      { type: 'user.registered', data: {} },
      recharge('nobody-at-all', '1'),
      transfer(one, two, '10'),
      { type: 'no.such', data: {} },
      recharge(two, '5'),
    );
    expect(all).toEqual([
      'applied',
      'insufficient',
      'invalid: account',
      'unknown: account',
      'applied',
      'unsupported',
      'applied',
    ]);
    expect([await balanceOf(one), await balanceOf(two)]).toEqual(['0', '15']);
    expect(await inboxOf(eventId)).toBe(0);
  });

  test('the same id twice, in one call and in two, has one effect', async () => {
    const user = await makeUser(server);
    const event = { ...recharge(user, '10'), eventId: unique('twice-') };
    expect(await results(event, recharge(user, '1'), event)).toEqual(['applied', 'applied', 'duplicate']);
    expect(await results(recharge(user, '1'), event, recharge(user, '1'))).toEqual(['applied', 'duplicate', 'applied']);
    expect(await balanceOf(user)).toBe('13');
  });

  test('an id may be used again after its first event was rejected', async () => {
    const user = await makeUser(server);
    const eventId = unique('free-');
    expect(await results({ ...recharge(user, '0'), eventId }, { ...recharge(user, '3'), eventId })).toEqual([
      'invalid: amount',
      'applied',
    ]);
    expect(await balanceOf(user)).toBe('3');
  });

  test('ticks between withdrawals do not split what one statement writes', async () => {
    const [user, market, tag] = [await makeUser(server), await makeMarket(server), unique('BW')];
    await apply(server, recharge(user, '9'), { type: 'tick', data: { market, price: '3', at: 1 } });
    const at = server.clock.now();
    const tick = (price: string) => ({ type: 'tick' as const, data: { market, price, at } });
    const withdrawal = (n: number) => ({
      type: 'withdraw.requested' as const,
      data: { no: `${tag}${n}`, account: user, market: 'USDT', ...onTron('any'), amount: '1', fee: '0' },
    });
    await apply(server, withdrawal(1), tick('1'), withdrawal(2), tick('2'), withdrawal(3));
    const [written] = await server.query(sql<{ n: number }>`
      select count(distinct (xmin::text, cmin::text)) as n from withdraw where no like ${`${tag}%`}`);
    expect(written?.n).toBe(1);
  });

  test('two senders of the same events apply each once', async () => {
    const users = await Promise.all([1, 2, 3].map(() => makeUser(server)));
    const events = Array.from({ length: 40 }, (_, n) => ({
      ...recharge(users[n % 3] ?? '', '1'),
      eventId: unique('both-'),
    }));
    const [a, b] = await Promise.all([results(...events), results(...events.toReversed())]);
    expect([...a, ...b].filter((result) => result === 'applied')).toHaveLength(40);
    const sums = await Promise.all(users.map(balanceOf));
    expect(sums.reduce((sum, one) => sum + Number(one), 0)).toBe(40);
  });

  test('60 events share one transaction of history, or three live ones', async () => {
    const [user, tag] = [await makeUser(server), unique('BG')];
    await send(server, ...Array.from({ length: 60 }, () => recharge(user, '1', unique(tag))));
    expect(await transactions(tag)).toBe(live === 1 ? 3 : 1);
  });
});

describe('ticks that come together', () => {
  const tick = (market: string, price: string, at: number, more: object = {}) => ({
    type: 'tick' as PlatformEvent['type'],
    data: { market, price, at },
    ...more,
  });
  const pricesOf = (market: string) =>
    server.query(sql<{ price: string; at: number }>`
      select t.price, t.at from tick t join market m on m.id = t.market_id where m.market_name = ${market} order by t.id`);

  test('are checked in order, each market separately', async () => {
    const [one, two] = [await makeMarket(server), await makeMarket(server)];
    const all = await results(
      tick(one, '1', 100),
      tick(two, '5', 50),
      tick(one, '2', 99),
      tick(one, '3', 100),
      tick('NONE', '1', 1),
      tick(two, '0', 60),
      tick(two, '6', 60),
      tick('USDT', '1', 60),
    );
    expect(all).toEqual([
      'applied',
      'applied',
      'late',
      'applied',
      'unknown: market',
      'invalid: price',
      'applied',
      'invalid: market',
    ]);
    expect(await pricesOf(one)).toEqual([
      { price: '1', at: 100 },
      { price: '3', at: 100 },
    ]);
    expect(await pricesOf(two)).toEqual([
      { price: '5', at: 50 },
      { price: '6', at: 60 },
    ]);
    const [last] = await server.query(sql<{ price: string }>`select price from market where market_name = ${two}`);
    expect(last?.price).toBe('6');
  });

  test('a late one leaves no id, and a repeated one is a duplicate', async () => {
    const market = await makeMarket(server);
    const [known, late, twice] = [unique('t-'), unique('t-'), unique('t-')];
    await send(server, tick(market, '1', 100, { eventId: known }));
    const all = await results(
      tick(market, '1', 100, { eventId: known }),
      tick(market, '2', 50, { eventId: late }),
      tick(market, '3', 200),
    );
    expect(all).toEqual(['duplicate', 'late', 'applied']);
    expect(await inboxOf(late)).toBe(0);
    const again = { eventId: twice };
    expect(await results(tick(market, '4', 300, again), tick(market, '4', 300, again))).toEqual([
      'applied',
      'duplicate',
    ]);
    expect((await pricesOf(market)).map(({ price }) => price)).toEqual(['1', '3', '4']);
  });

  test('a withdrawal is valued at the price before a later tick of its coin', async () => {
    const [user, other, coin] = [await makeUser(server), await makeMarket(server), await makeMarket(server)];
    const no = unique('BW');
    const funds = { ...recharge(user, '3').data, market: coin };
    await apply(server, tick(other, '1', 5), tick(coin, '5', 10), { type: 'recharge.credited', data: funds });
    const request = { no, account: user, market: coin, ...onTron('any'), amount: '3', fee: '0' };
    await apply(server, tick(other, '1', 10), { type: 'withdraw.requested', data: request }, tick(coin, '9', 20));
    const [row] = await server.query(sql<{ valuation: string }>`select valuation from withdraw where no = ${no}`);
    expect(row?.valuation).toBe('15');
  });

  test('one with a price out of range is rejected alone', async () => {
    const market = await makeMarket(server);
    const huge = `1${'0'.repeat(20)}`;
    expect(await results(tick(market, '1', 1), tick(market, huge, 2), tick(market, '2', 3))).toEqual([
      'applied',
      expect.stringContaining('invalid'),
      'applied',
    ]);
    expect((await pricesOf(market)).map(({ price }) => price)).toEqual(['1', '2']);
  });
});

const logged: object[] = [];
const restarts: object[] = [];
const events = (type: string, data: readonly object[]): PlatformEvent[] =>
  data.map((one) => ({ eventId: unique('fault-'), type, at: server.clock.now(), data: one }) as PlatformEvent);
/** The app of the server with a log that the test reads. */
const watched = () => {
  logged.length = 0;
  restarts.length = 0;
  const [error, info] = [logged, restarts].map((lines) => (facts: object) => void lines.push(facts));
  return { ...server.app, log: { ...server.app.log, error, info } as typeof server.app.log };
};

describe('a group that starts again', () => {
  test('is logged and counted with the type of its event and the reason', async () => {
    await server.query(sql`update installation set live = 1`);
    const [one, two] = [await makeUser(server), await makeUser(server)];
    const group = [
      ...events('recharge.credited', [recharge(one, '10').data]),
      ...events('transfer.made', [transfer(one, two, '11').data]),
      ...events('recharge.credited', [recharge(two, '5').data]),
    ];
    const app = { ...watched(), state: createProcessState() };
    const intake = new EventIntake(app, platform);
    const answers = await intake.apply(group);
    expect(answers.map(({ result, reason }) => reason ?? result)).toEqual(['applied', 'insufficient', 'applied']);
    const facts = { reason: 'InsufficientBalance', events: 3, first: group[0]?.eventId };
    // The first try does not show the event, because all transfers are written by one statement.
    expect(restarts).toEqual([
      { type: 'group', eventId: undefined, ...facts },
      { type: 'transfer.made', eventId: group[1]?.eventId, ...facts },
    ]);
    const counts = async () => (await app.state.metrics.gatewayFallbacks.get()).values;
    const labels = (type: string) => ({ type, reason: 'InsufficientBalance' });
    expect(await counts()).toEqual([
      { labels: labels('group'), value: 1 },
      { labels: labels('transfer.made'), value: 1 },
    ]);
    await intake.apply(events('transfer.made', [transfer(one, two, '1').data, transfer(one, two, '99').data]));
    expect(await counts()).toContainEqual({ labels: labels('transfer.made'), value: 2 });
    expect(logged).toEqual([]);
  });

  test('does so for no event that is rejected before it changes anything', async () => {
    const [user, market, tag] = [await makeUser(server), await makeMarket(server), unique('BG')];
    const at = server.clock.now();
    const group = [
      ...events('tick', [{ market, price: '1', at: at - 1 }]),
      ...events('recharge.credited', [recharge(user, '1', unique(tag)).data, recharge('nobody', '1').data]),
      ...events('no.such', [{}]),
      ...events('tick', [{ market, price: '2', at: at - 2 }]),
      ...events('recharge.credited', [recharge(user, '2', unique(tag)).data]),
    ];
    const answers = await new EventIntake(watched(), platform).apply(group);
    expect(answers.map(({ result, reason }) => reason ?? result)).toEqual([
      'applied',
      'applied',
      'unknown: account',
      'unsupported',
      'late',
      'applied',
    ]);
    expect(restarts).toEqual([]);
    expect(await transactions(tag)).toBe(1);
    expect(await balanceOf(user)).toBe('3');
    expect(await Promise.all(group.map(({ eventId }) => inboxOf(eventId)))).toEqual([1, 1, 0, 0, 0, 1]);
  });
});

describe('an error that no event explains', () => {
  const without = async (table: string, work: () => Promise<void>): Promise<void> => {
    await sql`alter table ${sql.table(table)} rename to gone`.execute(server.owner);
    try {
      await work();
    } finally {
      await sql`alter table gone rename to ${sql.table(table)}`.execute(server.owner);
    }
  };

  test('is logged and thrown, and nothing of its group is applied', async () => {
    const account = await makeUser(server);
    const group = events('recharge.credited', [recharge(account, '1').data, recharge(account, '2').data]);
    await without('recharge', async () => {
      await expect(new EventIntake(watched(), platform).apply(group)).rejects.toMatchObject({ code: '42P01' });
    });
    expect(logged).toMatchObject([{ err: { code: '42P01' }, events: 2, first: group[0]?.eventId }]);
    expect(await balanceOf(account)).toBe('0');
    expect(await inboxOf(group[0]?.eventId ?? '')).toBe(0);
    expect((await new EventIntake(watched(), platform).apply(group)).map(({ result }) => result)).toEqual([
      'applied',
      'applied',
    ]);
    expect(logged).toEqual([]);
  });

  test('is logged and thrown for ticks as well', async () => {
    const market = await makeMarket(server);
    const ticks = events(
      'tick',
      [1, 2].map((price) => ({ market, price: String(price), at: server.clock.now() - 10 + price })),
    );
    await without('tick', async () => {
      await expect(new EventIntake(watched(), platform).apply(ticks)).rejects.toMatchObject({ code: '42P01' });
    });
    expect(logged).toMatchObject([{ err: { code: '42P01' }, events: 2 }]);
  });

  test('that an event explains is answered and not logged as one', async () => {
    const account = await makeUser(server);
    const data = [recharge(account, '1').data, { ...recharge(account, '1').data, account: 'nobody-at-all' }];
    const answers = await new EventIntake(watched(), platform).apply(events('recharge.credited', data));
    expect(answers.map(({ result }) => result)).toEqual(['applied', 'rejected']);
    expect(logged).toEqual([]);
  });
});
