// @module-tag full
import type { PlatformCommand } from '@hengtai/contract/gateway/commands.schema';
import type { PlatformEvent } from '@hengtai/contract/gateway/events.schema';
import type { EventAnswer } from '@hengtai/contract/gateway/schema';
import { DEMO_CAPITAL } from '@hengtai/contract/gateway/simulator';
import { Decimal } from '@hengtai/contract/values/decimal';
import type { BulkResult } from '@hengtai/contract/wire/schema';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createPastWorld } from '../../simulator/src/import-past.ts';
import { parseMarkets } from '../../simulator/src/market.ts';
import { generatePast } from '../../simulator/src/past.ts';
import { stepRecharges } from '../../simulator/src/recharge.ts';
import { DAY_MS, HOUR_MS } from '../../simulator/src/rhythm.ts';
import { applyAnswer, handleCommand } from '../../simulator/src/simulation.ts';
import { stepWallet } from '../../simulator/src/wallet.ts';
import { readWallets } from '../../simulator/src/wallets/wallets.ts';
import type { World } from '../../simulator/src/world.ts';
import { runWallets } from '../../simulator/test/run-wallets.ts';
import { findRepeated } from '../../simulator/test/wallet-money.ts';
import { checkBook } from '../src/books/ledger/check.ts';
import { matchOpenMoves } from '../src/domains/funds/wallet/match.jobs.ts';
import { judgeWallets } from '../src/domains/funds/wallet/reading.jobs.ts';
import { post, pull } from './commands.ts';
import { setPolicy } from './inspect.ts';
import { call, login, platformCall, provideServer } from './server.ts';

const DAYS = 30;
const SCALE = { users: 60, days: 3 };
const BATCH = 1_000;

const server = provideServer({ simulated: true, jobs: false });

/** Pays the owner's capital in, as a demo does at its first start. */
async function payCapitalIn(token: string): Promise<void> {
  await setPolicy(server, 'house.transfer', 0);
  const markets = await server.query(sql<{ id: number; name: string }>`select id, market_name as name from market`);
  for (const { id: marketId, name } of markets) {
    const amount = DEMO_CAPITAL[name] ?? '0';
    const input = { marketId, from: 'custody', to: 'capital', amount, reason: '测试', txHash: 'paid-in' };
    expect(await call(server, 'POST', 'house/transfer', input, { token })).toMatchObject({ code: 200 });
  }
}

/** Sends events as the simulator does. Those of wallets, chains and money must be accepted. */
async function sendAll(world: World, events: readonly PlatformEvent[], isPast: boolean): Promise<void> {
  for (let start = 0; start < events.length; start += BATCH) {
    const batch = events.slice(start, start + BATCH);
    const { code, data } = await platformCall<EventAnswer[]>(server, 'POST', 'events', batch);
    expect(code).toBe(200);
    const refused = data.flatMap(({ result, reason }, index) =>
      result === 'applied' ? [] : [`${batch[index]?.type} ${JSON.stringify(batch[index]?.data)}: ${reason}`],
    );
    expect(refused).toEqual([]);
    if (!isPast) batch.forEach((event, index) => applyAnswer(world, event, data[index] as EventAnswer));
  }
}

/** Passes what waits for a decision, and hands the commands to the platform. */
async function passAll(world: World, token: string): Promise<void> {
  const waiting = await server.query(sql<{ id: number }>`select id from withdraw where state = 0 order by id`);
  if (waiting.length > 0) {
    const ids = waiting.map(({ id }) => id);
    const { data } = await call<BulkResult>(server, 'POST', 'withdraw/pass/many', { ids }, { token });
    expect(data.results.filter(({ code }) => code !== 200)).toEqual([]);
  }
  const commands = (await pull(server, `after=${world.state.cursor}&limit=500`)) as unknown as PlatformCommand[];
  const acks = commands.flatMap((command) => handleCommand(world, command) ?? []);
  world.state.cursor = commands.at(-1)?.seq ?? world.state.cursor;
  if (acks.length > 0) await post(server, 'ack', acks);
}

async function importPast(startedAt: number): Promise<World> {
  const { data } = await platformCall(server, 'GET', 'markets');
  const shares = { fail: 0.02, unknown: 0, late: 0, screenFaults: 0, walletFaults: {} };
  const options = { seed: 'wallets', speed: 6, ...shares, ...SCALE };
  const world = createPastWorld(
    { seed: options.seed, startedAt, scale: SCALE },
    { markets: parseMarkets(data) },
    options,
  );
  for (const batch of generatePast(world)) await sendAll(world, batch, true);
  expect(await platformCall(server, 'POST', 'live')).toMatchObject({ code: 200 });
  return world;
}

/** What the latest readings of the wallets and the accounts of custody say, by coin. */
const fetchHeld = () =>
  server.query(sql<{ market: string; custody: string; wallets: string }>`
    select m.market_name as market,
      (select -sum(a.balance) from account a where a.owner = 'custody' and a.market_id = m.id) as custody,
      (select sum(l.amount) from wallet w, lateral (select r.amount from wallet_reading r where r.wallet_id = w.id
        order by r.created_at desc, r.id desc limit 1) l where w.market_id = m.id) as wallets
    from market m where exists (select from wallet w where w.market_id = m.id) order by m.id`);

test('thirty days of the simulated exchange: everything is accepted and matched, and custody is what its wallets hold', async () => {
  const token = await login(server);
  await payCapitalIn(token);
  await setPolicy(server, 'withdraw.pass', 0);
  const world = await importPast(server.clock.now() - (DAYS + 1) * DAY_MS);
  const all: PlatformEvent[] = [];
  let waiting: PlatformEvent[] = [];
  const flush = async (): Promise<void> => {
    const events = [...waiting, ...world.state.queue.splice(0)];
    waiting = [];
    all.push(...events);
    await sendAll(world, events, false);
    await passAll(world, token);
  };
  let day = world.state.startedAt + DAY_MS;
  for (const batch of runWallets(world, DAYS)) {
    waiting.push(...batch);
    if (world.now < day) continue;
    await flush();
    day += DAY_MS;
  }
  // What is under way arrives.
  for (let hour = 0; hour < 3 || world.state.queue.length > 0; hour += 1) {
    await flush();
    world.now += HOUR_MS;
    stepRecharges(world);
    stepWallet(world);
  }
  world.now += HOUR_MS;
  readWallets(world);
  await flush();
  while (await matchOpenMoves(server.app));

  // A recharge that the scanner reports twice is credited twice, and arrived once.
  const repeated = [...findRepeated(all)];
  const unmoved = await server.query(sql<{ market: string; amount: string }>`
    select m.market_name as market, sum(r.amount) as amount from recharge r join market m on m.id = r.market_id
    where r.state = 1 and r.no = any(${repeated}::text[]) group by m.id, m.market_name`);
  const creditedTwice = new Map(unmoved.map(({ market, amount }) => [market, amount]));
  const held = await fetchHeld();
  expect(held.length).toBe(Object.keys(DEMO_CAPITAL).length);
  for (const { market, custody, wallets } of held)
    expect(new Decimal(wallets).plus(creditedTwice.get(market) ?? 0).toFixed(), market).toBe(
      new Decimal(custody).toFixed(),
    );
  const [moves] = await server.query(sql<{ open: number; differing: number; matched: number; fees: number }>`
    select (select count(*) from chain_move_open o join chain_move m on m.id = o.move_id where m.kind in ('deposit', 'payout')) as open,
      (select count(*) from chain_match where differences <> '{}') as differing,
      (select count(*) from chain_match where ended_at is null) as matched,
      (select count(*) from chain_fee where effect <> 'posted') as fees`);
  expect(moves).toMatchObject({ open: 0, differing: 0, fees: 0 });
  expect(moves?.matched).toBeGreaterThan(DAYS * 15);
  // Nobody is called, also after the bound.
  for (let time = 0; time < 2; time += 1) {
    for (const judge of [matchOpenMoves, judgeWallets]) while (await judge(server.app));
    server.clock.move(31 * 60_000);
  }
  const alarms = sql`select kind, detail from alarm where kind in ('chain.unordered', 'wallet.differs')`;
  expect(await server.query(alarms)).toEqual([]);
  expect(await checkBook(server.owner)).toEqual([]);
});
