import type { Candle, MarketCandles } from '@hengtai/contract/trading/market/schema';
import { CANDLE_MS, type CandleLength } from '@hengtai/contract/wire/input-values';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeMarket } from '../../../../test/book.ts';
import { type TestServer, apply, call, login, testServer } from '../../../../test/server.ts';
import { aggregateTicks } from './market.jobs.ts';

let server: TestServer;
let admin: string;
const DAY0 = Date.UTC(2026, 0, 10);
const MINUTE = 60_000;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
});
afterAll(() => server.stop());

interface Tick {
  price: string;
  at: number;
  volume?: string;
}

async function withTicks(ticks: readonly Tick[]): Promise<{ id: number; name: string }> {
  const name = await makeMarket(server);
  const [row] = await server.query(sql<{ id: number }>`select id from market where market_name = ${name}`);
  await sendTicks(name, ticks);
  return { id: row?.id ?? 0, name };
}
async function sendTicks(market: string, ticks: readonly Tick[]): Promise<void> {
  if (ticks.length > 0)
    await apply(server, ...ticks.map((tick) => ({ type: 'tick' as const, data: { market, ...tick } })));
}
async function candles(id: number, length: CandleLength, more: object = {}): Promise<Candle[]> {
  const answer = await call<MarketCandles>(server, 'GET', 'market/candle', { id, length, ...more }, { token: admin });
  expect(answer.code).toBe(200);
  return answer.data.list;
}
async function addUpAll(): Promise<void> {
  while (await aggregateTicks(server.app)) await Promise.resolve();
}

/** Computes candles in memory. Floats are exact for these small integers. */
function computeCandles(ticks: readonly Tick[], width: number): Candle[] {
  const found = new Map<number, Tick[]>();
  for (const tick of ticks) {
    const at = Math.floor(tick.at / width) * width;
    found.set(at, [...(found.get(at) ?? []), tick]);
  }
  return [...found].map(([at, of]) => ({
    at,
    open: of[0]?.price ?? '',
    close: of.at(-1)?.price ?? '',
    high: String(Math.max(...of.map(({ price }) => Number(price)))),
    low: String(Math.min(...of.map(({ price }) => Number(price)))),
    volume: String(of.reduce((sum, { volume }) => sum + Number(volume ?? 0), 0)),
    ticks: of.length,
  }));
}

/** Random ticks over two days, with gaps and with equal times. */
function randomTicks(): Tick[] {
  let state = 7;
  const next = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
  const ticks: Tick[] = [];
  for (let at = DAY0; at < DAY0 + 30 * 60 * MINUTE; at += next(5) === 0 ? 0 : 1 + next(9 * MINUTE)) {
    ticks.push({ price: String(100 + next(50)), at, volume: String(next(9)) });
  }
  ticks.push({ price: '500', at: DAY0 + 36 * 60 * MINUTE, volume: '1' });
  return ticks;
}

describe('market/candle', () => {
  const ticks = randomTicks();

  test.each(Object.keys(CANDLE_MS) as CandleLength[])(
    '%s: open, high, low, close and volume equal the recorded ticks',
    async (length) => {
      const { id } = await withTicks(ticks);
      const expected = computeCandles(ticks, CANDLE_MS[length]);
      expect(await candles(id, length, { limit: 1_000 })).toEqual(
        expected.filter(({ at }) => at > (expected.at(-1)?.at ?? 0) - 1_000 * CANDLE_MS[length]),
      );
      await addUpAll();
      // Stored candles equal those computed from ticks.
      expect(await candles(id, length, { limit: 1_000 })).toEqual(
        expected.filter(({ at }) => at > (expected.at(-1)?.at ?? 0) - 1_000 * CANDLE_MS[length]),
      );
    },
  );

  test('is exact when the job runs between any two ticks', async () => {
    const sample = ticks.filter((_, index) => index % 6 === 0);
    const { id, name } = await withTicks([]);
    for (const tick of sample) {
      await sendTicks(name, [tick]);
      await aggregateTicks(server.app);
    }
    for (const length of ['1m', '1h', '1d'] as const)
      expect((await candles(id, length, { limit: 1_000 })).at(-2)).toEqual(
        computeCandles(sample, CANDLE_MS[length]).at(-2),
      );
    expect(await candles(id, '4h', { limit: 1_000 })).toEqual(computeCandles(sample, CANDLE_MS['4h']));
  });

  test('respects the end time and the limit', async () => {
    const { id } = await withTicks(ticks);
    const hours = computeCandles(ticks, CANDLE_MS['1h']);
    const fifth = hours[5]?.at ?? 0;
    expect(await candles(id, '1h', { to: fifth, limit: 3 })).toEqual(hours.slice(3, 6));
  });

  test('keeps all digits, and has no volume if no tick has one', async () => {
    const { id } = await withTicks([
      { price: '0.000000000000000002', at: DAY0 },
      { price: '0.000000000000000001', at: DAY0 },
    ]);
    expect(await candles(id, '1m')).toEqual([
      {
        at: DAY0,
        open: '0.000000000000000002',
        high: '0.000000000000000002',
        low: '0.000000000000000001',
        close: '0.000000000000000001',
        volume: null,
        ticks: 2,
      },
    ]);
  });

  test('returns none without ticks, and refuses an unknown length or market', async () => {
    const { id } = await withTicks([]);
    expect(await candles(id, '1d')).toEqual([]);
    const get = (input: object) => call(server, 'GET', 'market/candle', input, { token: admin });
    expect(await get({ id, length: '2h' })).toMatchObject({ code: 422, data: [{ field: 'length' }] });
    expect(await get({ id: 999_999_999, length: '1h' })).toMatchObject({ code: 404 });
  });

  test('the server role may only insert candles', async () => {
    await expect(sql`update candle set close = 1`.execute(server.app.system)).rejects.toThrow('permission denied');
    await expect(sql`delete from candle`.execute(server.app.system)).rejects.toThrow('permission denied');
  });
});
