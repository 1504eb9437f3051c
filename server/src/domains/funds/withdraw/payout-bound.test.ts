import { PAYING_MINUTES } from '@hengtai/contract/funds/withdraw/calls';
import { PAYOUT_SILENT, WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import type { WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import type { Counts } from '@hengtai/contract/desk/notify/schema';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { fetchBalances, makeMarket } from '../../../../test/book.ts';
import { makePassedWithdraw } from '../../../../test/commands.ts';
import { findWithdraw, makeUser, makeWithdraw, recharge } from '../../../../test/factories.ts';
import { setPolicy } from '../../../../test/inspect.ts';
import { apply, call, login, provideServer } from '../../../../test/server.ts';
import { watchPaying } from './payout-bound.jobs.ts';

const server = provideServer({ jobs: false });
let admin: string;

beforeAll(async () => {
  admin = await login(server);
  await setPolicy(server, 'withdraw.pass', 0);
});

const BEAT_MS = 10_000;
const find = ({ no }: WithdrawRow): Promise<WithdrawRow> => findWithdraw(server, admin, no);
const setMinutes = (minutes: number) =>
  server.query(sql`update config set num = ${minutes} where key = ${PAYING_MINUTES}`);
const say = (row: WithdrawRow, event: string, more: object = {}): Promise<void> =>
  apply(server, { type: `withdraw.${event}`, data: { no: row.no, ...more } });

/** Lets time pass while a server runs. */
async function run(minutes: number): Promise<void> {
  for (let left = minutes * 60_000; left > 0; left -= BEAT_MS) {
    server.clock.move(Math.min(left, BEAT_MS));
    await watchPaying(server.app);
  }
}

async function paying(): Promise<WithdrawRow> {
  await watchPaying(server.app);
  const row = await makePassedWithdraw(server, admin);
  await say(row, 'paying');
  return find(row);
}

const isSilent = async ({ id }: WithdrawRow): Promise<boolean> => {
  const [row] = await server.query(
    sql<{ isSilent: boolean }>`select silent_at is not null as "isSilent" from withdraw where id = ${id}`,
  );
  return row?.isSilent ?? false;
};

test('the outcome becomes unknown after the bound, waits for people, and a late payment settles it', async () => {
  await setMinutes(30);
  const row = await paying();
  const counts = async () => (await call<Counts>(server, 'GET', 'notify/counts', {}, { token: admin })).data;
  const before = (await counts()).withdrawUnknown ?? 0;
  await run(29);
  expect(await find(row)).toMatchObject({ state: WITHDRAW.paying });
  await run(1);
  expect(await find(row)).toMatchObject({ state: WITHDRAW.unknown, reason: PAYOUT_SILENT });
  expect(await isSilent(row)).toBe(true);
  expect((await counts()).withdrawUnknown).toBe(before + 1);
  await say(row, 'paid', { txHash: '0xlate' });
  expect(await find(row)).toMatchObject({ state: WITHDRAW.paid, txHash: '0xlate' });
  expect(await isSilent(row)).toBe(false);
  expect(await fetchBalances(server, row.account)).toEqual({ 'USDT 1 active': '50' });
});

test('every word of the wallet starts the bound again, and its own unknown outcome is none of time', async () => {
  await setMinutes(2);
  const row = await paying();
  await run(1.5);
  await say(row, 'paying', { txHash: '0xseen' });
  await run(1.5);
  expect(await find(row)).toMatchObject({ state: WITHDRAW.paying });
  await say(row, 'unknown');
  await run(3);
  expect(await find(row)).toMatchObject({ state: WITHDRAW.unknown, reason: '' });
  expect(await isSilent(row)).toBe(false);
});

test('time in which no server ran does not count', async () => {
  await setMinutes(1);
  const row = await paying();
  server.clock.move(3_600_000);
  await watchPaying(server.app);
  expect(await find(row)).toMatchObject({ state: WITHDRAW.paying });
  await run(1.5);
  expect(await find(row)).toMatchObject({ state: WITHDRAW.unknown });
});

test('of a payout that was under way before the upgrade the bound begins when a server sees it', async () => {
  await setMinutes(1);
  const row = await paying();
  await run(0.5);
  await server.query(sql`update withdraw set paying_from = null where id = ${row.id}`);
  await run(1);
  expect(await find(row)).toMatchObject({ state: WITHDRAW.paying });
  await run(0.5);
  expect(await find(row)).toMatchObject({ state: WITHDRAW.unknown });
});

/** Payouts under way of one coin: on a network with a bound of its own, by another of its names, and on one without. */
async function payingOn(payingMinutes: number): Promise<{ own: WithdrawRow; usual: WithdrawRow }> {
  const networks = [
    { network: 'ERC20', recharge: 1, withdraw: 1, fee: '0', explorer: '', payingMinutes },
    { network: 'TRC20', recharge: 1, withdraw: 1, fee: '0', explorer: '' },
  ];
  const market = await makeMarket(server, { networks });
  const account = await makeUser(server);
  await recharge(server, account, '300', market, 'TRC20');
  await watchPaying(server.app);
  const payOn = async (network: string): Promise<WithdrawRow> => {
    const row = await makeWithdraw(server, admin, account, { amount: '100', fee: '1', market, network });
    await call(server, 'POST', 'withdraw/pass', { id: row.id }, { token: admin });
    await say(row, 'paying');
    return row;
  };
  return { own: await payOn('erc-20'), usual: await payOn('TRC20') };
}

test('0 switches it off, and a network can have a bound of its own', async () => {
  await setMinutes(0);
  const { own, usual } = await payingOn(1);
  await run(2);
  expect(await find(own)).toMatchObject({ state: WITHDRAW.unknown });
  await run(29);
  expect(await find(usual)).toMatchObject({ state: WITHDRAW.paying });
});

test('0 switches it off for one network', async () => {
  await setMinutes(1);
  const { own, usual } = await payingOn(0);
  await run(2);
  expect(await find(own)).toMatchObject({ state: WITHDRAW.paying });
  expect(await find(usual)).toMatchObject({ state: WITHDRAW.unknown });
});
