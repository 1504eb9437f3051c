// @module-tag full
import type { CommandType } from '@hengtai/contract/gateway/gateway';
import type { CommandData } from '@hengtai/contract/gateway/commands.schema';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BackOffice } from '../../conformance/src/back-office.ts';
import { createBackOffice } from '../../conformance/src/run.ts';
import { HollaexExchange, movement, tradeOf } from './hollaex-exchange.ts';
import { HollaexRun } from './hollaex-run.ts';

const CREDENTIALS = { key: 'plugin', secret: 'a secret of the plugin' };

let office: BackOffice;
let exchange: HollaexExchange;
let run: HollaexRun;

beforeEach(async () => {
  office = createBackOffice(CREDENTIALS);
  exchange = new HollaexExchange();
  run = new HollaexRun({ url: await office.listen(0), ...CREDENTIALS }, exchange, await exchange.listen());
});
afterEach(async () => {
  await run.remove();
  await exchange.close();
  await office.close();
  expect(office.events.faults).toEqual([]);
  expect(exchange.problems).toEqual([]);
});

const eventIds = (): string[] => office.events.arrivals.map(({ event }) => event.eventId.replace('hollaex:', ''));
const dataOf = (id: string) =>
  office.events.arrivals.find(({ event }) => event.eventId === `hollaex:${id}`)?.event.data;

/** Sends a command at once, also if the plugin waits in a poll. @returns its id */
function send<T extends CommandType>(type: T, data: CommandData[T]): number {
  const id = office.commands.send(type, data);
  office.notify();
  return id;
}

test('deposits, transfers and trades of the admin lists become events, also after a kill', async () => {
  exchange.deposits.push(movement(1, 1, 0.0000001), movement(2, 1, 50, { status: true }));
  const transfer = { address: 'transfer', transaction_id: 'tx-3', status: true };
  exchange.deposits.push(movement(3, 2, 5, transfer));
  exchange.withdrawals.push(movement(4, 1, 5, transfer), movement(5, 2, 7, { status: true }));
  office.network.harm('events', 'lost answer');
  await run.start();
  await office.until(() => office.events.arrivals.length > 0, 20_000);
  await run.kill();
  office.network.heal();
  exchange.change(exchange.deposits, 1, { rejected: true });
  exchange.trades.push(
    tradeOf(6),
    tradeOf(7, { maker_id: null, maker_fee: null, side: 'sell', taker_fee_coin: 'usdt' }),
  );
  await run.start();
  await expect.poll(() => eventIds().filter((id) => id.endsWith(':filled'))).toHaveLength(3);
  expect(new Set(eventIds()).size).toBe(office.events.arrivals.length);
  const steps = eventIds().filter((id) => /^(user|deposit|transfer|withdrawal)/.test(id));
  expect(steps.toSorted()).toEqual([
    'deposit:1:detected',
    'deposit:1:failed',
    'deposit:2:credited',
    'transfer:3',
    'user:1',
    'user:2',
  ]);
  expect(steps.indexOf('deposit:1:failed')).toBeGreaterThan(steps.indexOf('deposit:1:detected'));
  expect(dataOf('deposit:1:detected')).toMatchObject({ account: 'hollaex-1', amount: '0.0000001', network: 'trx' });
  expect(dataOf('transfer:3')).toMatchObject({ account: 'hollaex-1', toAccount: 'hollaex-2', amount: '5' });
  const [tick = ''] = eventIds().filter((id) => id.endsWith(':tick'));
  const trade = tick.slice(0, -':tick'.length);
  expect(dataOf(`${trade}:buy:out`)).toMatchObject({ account: 'hollaex-1', market: 'HTT', amount: '9.95' });
  expect(dataOf(`${trade}:sell:out`)).toMatchObject({ account: 'hollaex-2', market: 'USDT', amount: '5.997' });
  const logged = 'withdrawal 5 of user 2 (7 usdt) went past the back office';
  await expect.poll(() => run.logs.join('')).toContain(logged);
});

test('a withdrawal is requested by the route of the plugin and paid once, also after a kill', async () => {
  await run.start();
  const request = { currency: 'usdt', address: 'T-user', amount: '20', key: 'first' };
  expect((await run.post(undefined, request)).status).toBe(401);
  expect((await run.post(7, { ...request, amount: '-1' })).status).toBe(400);
  const { no = '' } = (await run.post(7, request)).data;
  expect((await run.post(7, request)).data.no).toBe(no);
  await expect.poll(eventIds).toEqual(['user:7', `request:${no}`]);
  expect(dataOf(`request:${no}`)).toMatchObject({ account: 'hollaex-7', amount: '21', fee: '1', network: 'trx' });
  const payout = { no, attempt: 1, account: 'hollaex-7', market: 'USDT', network: 'trx', address: 'T-user', memo: '' };
  office.network.harm('commands/ack', 'lost call');
  const id = send('withdraw.payout', { ...payout, amount: '20' });
  const ackOf = (one: number) => office.commands.acksOf(one).at(-1)?.state;
  await office.until(() => office.network.hasHarmed('commands/ack'), 20_000);
  await run.kill();
  office.network.heal();
  office.commands.resend(id);
  await run.start();
  await expect.poll(() => ackOf(id)).toBe('done');
  expect(exchange.withdrawals).toHaveLength(1);
  exchange.change(exchange.withdrawals, 501, { status: true });
  await expect.poll(eventIds).toContain('withdrawal:501:paid');
  expect(dataOf('withdrawal:501:paid')).toEqual({ no, txHash: 'tx-501' });
  const frozen = { state: 0, trade: 1, ieoBuy: 1, ieoSell: 1, ai: 0, winType: 0, winRate: null } as const;
  const freeze = send('user.updated', { account: 'hollaex-7', ...frozen });
  await expect.poll(() => ackOf(freeze)).toBe('done');
  expect([...exchange.frozen]).toEqual([7]);
});

test('a payout without an answer of the exchange is looked for, and not sent again', async () => {
  await run.start();
  const payout = { attempt: 1, account: 'hollaex-7', market: 'USDT', network: 'trx', address: 'T-user', memo: '' };
  const ackOf = (one: number) => office.commands.acksOf(one).at(-1)?.state;
  exchange.answersToLose = 1;
  const lost = send('withdraw.payout', { ...payout, no: 'W1', amount: '20' });
  await expect.poll(() => ackOf(lost)).toBe('unknown');
  office.commands.resend(lost);
  office.notify();
  await expect.poll(() => ackOf(lost)).toBe('done');
  const refused = send('withdraw.payout', { ...payout, no: 'W2', amount: '2000' });
  const tooFine = send('withdraw.payout', { ...payout, no: 'W3', amount: '0.123456789012345678' });
  await expect.poll(() => [ackOf(refused), ackOf(tooFine)]).toEqual(['failed', 'failed']);
  expect(exchange.withdrawals.map(({ amount }) => amount)).toEqual([20]);
  exchange.change(exchange.withdrawals, 501, { rejected: true });
  await expect.poll(eventIds).toContain('withdrawal:501:failed');
});
