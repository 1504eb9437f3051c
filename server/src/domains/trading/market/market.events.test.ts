import { EVENT_AHEAD_MS } from '@hengtai/contract/gateway/gateway';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SentEvent, freezeClock, makeMarket, expectRejection } from '../../../../test/book.ts';
import { type TestServer, apply, send, testServer } from '../../../../test/server.ts';
import { checkBook } from '../../../books/ledger/check.ts';

let server: TestServer;

beforeAll(async () => {
  server = await testServer({ jobs: false });
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});

const tick = (market: string, price: string, at: number, volume?: string): SentEvent => ({
  type: 'tick',
  data: { market, price, at, ...(volume === undefined ? {} : { volume }) },
});

const recordOf = (market: string) =>
  server.query(sql<{ price: string; volume: string | null; at: number }>`
    select t.price, t.volume, t.at from tick t join market m on m.id = t.market_id where m.market_name = ${market} order by t.id`);

async function priceOf(market: string): Promise<{ price: string | null; at: number | null } | undefined> {
  const [row] = await server.query(sql<{ price: string | null; at: number | null }>`
    select price, price_at as at from market where market_name = ${market}`);
  return row;
}

describe('tick', () => {
  test('is recorded with its own time and becomes the price', async () => {
    const market = await makeMarket(server);
    expect(await priceOf(market)).toEqual({ price: null, at: null });
    await apply(server, tick(market, '10.50', 1_000, '3'), tick(market, '11', 2_000));
    expect(await recordOf(market)).toEqual([
      { price: '10.5', volume: '3', at: 1_000 },
      { price: '11', volume: null, at: 2_000 },
    ]);
    expect(await priceOf(market)).toEqual({ price: '11', at: 2_000 });
  });

  test('is rejected if older than the last one, and accepted with an equal time', async () => {
    const market = await makeMarket(server);
    await apply(server, tick(market, '10', 5_000));
    expect(await expectRejection(server, tick(market, '99', 4_999))).toBe('late');
    await apply(server, tick(market, '12', 5_000));
    expect(await priceOf(market)).toEqual({ price: '12', at: 5_000 });
    expect(await recordOf(market)).toHaveLength(2);
  });

  test('is compared with the last tick of its own market only', async () => {
    const [one, two] = [await makeMarket(server), await makeMarket(server)];
    await apply(server, tick(one, '10', 9_000), tick(two, '20', 1_000));
    expect(await priceOf(two)).toEqual({ price: '20', at: 1_000 });
  });

  test('may be at most a minute ahead of the server', async () => {
    const market = await makeMarket(server);
    const clock = freezeClock(server);
    try {
      const beyond = clock.at + EVENT_AHEAD_MS + 1;
      expect(await expectRejection(server, tick(market, '10', beyond))).toBe('ahead');
      expect(await expectRejection(server, { ...tick(market, '10', clock.at), at: beyond })).toBe('ahead');
      await apply(server, tick(market, '10', beyond - 1));
    } finally {
      clock.release();
    }
  });

  test('is rejected for an unknown market and for the settlement asset', async () => {
    expect(await expectRejection(server, tick('NONE', '1', 1))).toBe('unknown: market');
    expect(await expectRejection(server, tick('USDT', '1', 1))).toBe('invalid: market');
  });

  test.each([
    ['price', { price: '0' }],
    ['price', { price: '-1' }],
    ['price', { price: 10 }],
    ['volume', { volume: '-1' }],
    ['at', { at: -1 }],
    ['at', { at: undefined }],
  ])('is rejected for a bad %s: %j', async (field, more) => {
    const data = { market: 'BTC', price: '1', at: 1, ...more };
    expect(await expectRejection(server, { type: 'tick', data })).toBe(`invalid: ${field}`);
  });

  test('of concurrent ticks the newest becomes the price', async () => {
    const market = await makeMarket(server);
    const times = Array.from({ length: 24 }, (_, n) => 1_000 + ((n * 7) % 24));
    const answers = await Promise.all(times.map((at) => send(server, tick(market, String(at), at))));
    const outcomes = answers.flat().map(({ result, reason }) => reason ?? result);
    expect(outcomes.filter((outcome) => outcome !== 'applied' && outcome !== 'late')).toEqual([]);
    expect(await priceOf(market)).toEqual({ price: '1023', at: 1_023 });
    const recorded = (await recordOf(market)).map(({ at }) => at);
    expect(recorded).toEqual([...recorded].sort((a, b) => a - b));
    expect(recorded).toHaveLength(outcomes.filter((outcome) => outcome === 'applied').length);
  });

  test('cannot be changed or deleted by the server role', async () => {
    await apply(server, tick(await makeMarket(server), '10', 1));
    await expect(sql`update tick set price = 1`.execute(server.app.system)).rejects.toThrow('permission denied');
    await expect(sql`delete from tick`.execute(server.app.system)).rejects.toThrow('permission denied');
  });
});
