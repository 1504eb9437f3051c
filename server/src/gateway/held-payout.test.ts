import { COMMAND } from '@hengtai/contract/gateway/gateway';
import { AUTO_STOP_HOLDS } from '@hengtai/contract/risk/auto-payout/facts';
import type { GatewayPlatform } from '@hengtai/contract/house/gateway-key/schema';
import { sql } from 'kysely';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { tronAddress } from '../../test/address.ts';
import { fetchCoin, saveBudget, startCoin } from '../../test/auto-payout.ts';
import { type Command, finishAll, lease, makePassedWithdraw, post, pull, stored } from '../../test/commands.ts';
import { findWithdraw } from '../../test/factories.ts';
import { type ProgramKey, callAs, makeKey } from '../../test/gateway-key.ts';
import { apply, call, login, provideServer, unique } from '../../test/server.ts';
import { fetchFigures } from '../watch/figures.store.ts';
import { publishCommands } from './publisher.ts';

const server = provideServer({ jobs: false });
let token: string;
/** A program of a second platform. */
let other: ProgramKey;

beforeAll(async () => {
  token = await login(server);
  await saveBudget(server, token);
  const named = { name: 'second', markets: null };
  const { data } = await call<GatewayPlatform>(server, 'POST', 'gateway_key/platform_save', named, { token });
  other = await makeKey(server, token, { platformId: data.id });
});
beforeEach(async () => {
  await finishAll(server);
  await switchHold(1);
});
afterEach(async () => {
  if ((await fetchCoin(server, token))?.stopped) await startCoin(server, token);
});

const switchHold = (state: 0 | 1) =>
  server.query(sql`update config set state = ${state} where key = ${AUTO_STOP_HOLDS}`);
const stop = () => call(server, 'POST', 'withdraw/auto/stop', { marketId: 1 }, { token });
const pass = () => makePassedWithdraw(server, token);
const payouts = (commands: readonly Command[]) => commands.filter(({ type }) => type === 'withdraw.payout');
const lastSeq = async (): Promise<number> => (await pull(server, 'peek=1&limit=500')).at(-1)?.seq ?? 0;

const commandOf = async (withdrawId: number): Promise<number> => {
  const [row] = await server.query(sql<{ id: number }>`
    select id from command where type = 'withdraw.payout' and ref_id = ${withdrawId}`);
  return row?.id ?? 0;
};

test('a payout is handed over during a stop unless the setting is on', async () => {
  await switchHold(0);
  await stop();
  await pass();
  expect(payouts(await lease(server))).toHaveLength(1);
});

test('a payout that a person passes during a stop waits for the start, in each way to receive commands', async () => {
  await stop();
  const { id, no } = await pass();
  expect((await findWithdraw(server, token, no)).state).toBe(2);
  expect(payouts(await pull(server))).toEqual([]);
  expect(payouts(await lease(server))).toEqual([]);
  expect(payouts(await pull(server, 'peek=1'))).toEqual([]);
  const command = await commandOf(id);
  expect(await stored(server, command)).toMatchObject({ state: COMMAND.waiting, seq: null, attempt: 0 });
  const after = await lastSeq();
  await startCoin(server, token);
  expect(payouts(await pull(server, `after=${after}`))).toMatchObject([{ id: command, attempt: 1, data: { no } }]);
});

test('a payout that has a number gets a later one, so that a reader that continues finds it', async () => {
  const { id } = await pass();
  await publishCommands(server.app);
  const command = await commandOf(id);
  const before = await stored(server, command);
  await stop();
  await publishCommands(server.app);
  expect(payouts(await pull(server, 'peek=1'))).toEqual([]);
  await apply(server, { type: 'user.registered', data: { account: unique('user') } });
  const after = await lastSeq();
  expect(after).toBeGreaterThan(before?.seq ?? Infinity);
  await startCoin(server, token);
  const [payout] = payouts(await pull(server, `after=${after}`));
  expect(payout).toMatchObject({ id: command, attempt: 1 });
});

test('a program keeps what it has leased, and finishes it', async () => {
  const { id } = await pass();
  const [leased] = await lease(server);
  await stop();
  await publishCommands(server.app);
  expect(await post(server, 'receipt', [{ id: leased?.id, lease: leased?.lease }])).toEqual(['applied']);
  expect(await stored(server, await commandOf(id))).toMatchObject({ state: COMMAND.sent });
});

test('what a program has let go is not offered again, and is still known as offered once', async () => {
  const { id } = await pass();
  await lease(server, 1);
  server.clock.move(2_000);
  await stop();
  expect(await lease(server)).toEqual([]);
  const [row] = await server.query(sql<{ count: number }>`
    select lease_count as count from command where id = ${await commandOf(id)}`);
  expect(row).toEqual({ count: 1 });
  token = await login(server);
  await startCoin(server, token);
  expect(payouts(await lease(server))).toHaveLength(1);
});

test('a cause holds the payouts of its coin on its platform, and no other', async () => {
  const [first, own] = [await pass(), await pass()];
  await apply(server, { type: 'withdraw.failed', data: { no: first.no } });
  const btc = await server.query(sql<{ id: number }>`select id from market where market_name = 'BTC'`);
  expect(await fetchCoin(server, token, btc[0]?.id)).toBeUndefined();
  const account = unique('bea');
  const no = unique('W');
  const payee = { account, market: 'USDT', network: 'TRC20', address: tronAddress(no), amount: '10' };
  const body = [
    { type: 'user.registered', data: { account } },
    { type: 'recharge.credited', data: { ...payee, no: unique('R'), confirmations: 20, source: 1 } },
    { type: 'withdraw.requested', data: { ...payee, no, fee: '1' } },
  ].map((event) => ({ eventId: unique('e-'), at: server.clock.now(), ...event }));
  await callAs(server, other, { method: 'POST', path: 'events', body });
  const { id } = await findWithdraw(server, token, no);
  expect(await call(server, 'POST', 'withdraw/pass', { id }, { token })).toMatchObject({ code: 200 });
  const { data } = await callAs(server, other, { path: 'commands?limit=500' });
  expect(payouts(data as Command[])).toMatchObject([{ data: { no } }]);
  expect(payouts(await pull(server))).toEqual([]);
  // What is held is not late: the platform could not take it.
  server.clock.move(600_000);
  const figures = await fetchFigures(server.app.system, server.clock.now());
  expect(figures.find(({ label }) => label === 'unsent')).toMatchObject({ oldestAt: null });
  token = await login(server);
  await startCoin(server, token);
  expect(payouts(await pull(server))).toMatchObject([{ data: { no: own.no } }]);
});
