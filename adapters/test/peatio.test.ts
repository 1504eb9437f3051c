import { generateKeyPairSync } from 'node:crypto';
import type { CommandType } from '@hengtai/contract/gateway/gateway';
import type { CommandData } from '@hengtai/contract/gateway/commands.schema';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BackOffice } from '../../conformance/src/back-office.ts';
import { createBackOffice } from '../../conformance/src/run.ts';
import { PeatioExchange, deposit, trade, withdraw } from './peatio-exchange.ts';
import { PeatioRun } from './peatio-run.ts';
import { SampleQueue } from './queue.ts';

const CREDENTIALS = { key: 'adapter', secret: 'a secret of the adapter' };

let office: BackOffice;
let exchange: PeatioExchange;
let queue: SampleQueue;
let run: PeatioRun;

beforeEach(async () => {
  office = createBackOffice(CREDENTIALS);
  exchange = new PeatioExchange();
  queue = new SampleQueue();
  exchange.publish = (message) => queue.publish(message);
  run = new PeatioRun({ url: await office.listen(0), ...CREDENTIALS }, exchange, queue, await exchange.listen());
  await run.start();
});
afterEach(async () => {
  await run.remove();
  await exchange.close();
  await office.close();
  expect(office.events.faults).toEqual([]);
});

/** The events that the back office has, in their order. */
const eventIds = (): string[] => office.events.arrivals.map(({ event }) => event.eventId.replace('peatio:', ''));
const dataOf = (eventId: string) =>
  office.events.arrivals.find(({ event }) => event.eventId === `peatio:${eventId}`)?.event.data;

const publish = (event: Record<string, unknown>): void => queue.publish(exchange.sign(event));
const publishDeposit = (tid: string, state: string, amount = '100.0'): void =>
  publish({ name: 'model.deposit.updated', record: deposit(tid, state, amount), changes: { state: 'submitted' } });

const payoutOf = (no: string) => ({
  no,
  attempt: 1,
  account: 'ID092B2AF8E87',
  market: 'USDT',
  network: 'TRC20',
  address: String(withdraw(no, 'accepted', '20.5')['rid']),
  memo: '',
  amount: '20.5',
});

/** Sends a command at once, also if the adapter waits in a poll. @returns its id */
function send<T extends CommandType>(type: T, data: CommandData[T]): number {
  const id = office.commands.send(type, data);
  office.notify();
  return id;
}
function resend(id: number): void {
  office.commands.resend(id);
  office.notify();
}

test('deposits in the documented form become recharges, in their order', async () => {
  publish({ name: 'model.deposit.created', record: deposit('TID1', 'submitted', '0.0855') });
  publishDeposit('TID1', 'accepted', '0.0855');
  publishDeposit('TID1', 'collected', '0.0855');
  publishDeposit('TID2', 'submitted');
  publishDeposit('TID2', 'rejected');
  publish({ name: 'model.deposit.updated', record: deposit('TID3', 'accepted', '5', { currency: 'doge' }) });
  publishDeposit('TID4', 'accepted');
  await expect
    .poll(eventIds)
    .toEqual([
      'user:ID092B2AF8E87',
      'deposit:TID1:detected',
      'deposit:TID1:credited',
      'deposit:TID2:detected',
      'deposit:TID2:failed',
      'deposit:TID4:credited',
    ]);
  expect(dataOf('deposit:TID1:credited')).toMatchObject({
    no: 'TID1',
    account: 'ID092B2AF8E87',
    market: 'USDT',
    network: 'TRC20',
    amount: '0.0855',
    source: 1,
  });
});

test('a trade of two users is an order of each, filled at once', async () => {
  publish(trade('IDBUYER', 'IDSELLER'));
  await expect.poll(() => office.events.arrivals.length).toBe(11);
  const [id = ''] = eventIds().flatMap((one) => /^trade:(.*):tick$/.exec(one)?.[1] ?? []);
  expect(dataOf(`trade:${id}:tick`)).toMatchObject({ market: 'HTT', price: '3', volume: '10' });
  expect(dataOf(`trade:${id}:buy:in`)).toMatchObject({ account: 'IDBUYER', market: 'USDT', amount: '30' });
  expect(dataOf(`trade:${id}:buy:filled`)).toMatchObject({ price: '3', amount: '10', fee: '0.02' });
  expect(dataOf(`trade:${id}:buy:out`)).toMatchObject({ market: 'HTT', platform: 2, toPlatform: 1, amount: '9.98' });
  expect(dataOf(`trade:${id}:sell:in`)).toMatchObject({ account: 'IDSELLER', market: 'HTT', amount: '10' });
  expect(dataOf(`trade:${id}:sell:out`)).toMatchObject({ market: 'USDT', amount: '29.94' });
});

test('a payout starts the payment at Peatio once, whatever is repeated', async () => {
  exchange.change('W1', 'prepared');
  exchange.change('W1', 'accepted');
  await expect.poll(eventIds).toContain('withdraw:W1:requested');
  expect(dataOf('withdraw:W1:requested')).toMatchObject({ no: 'W1', amount: '21.5', fee: '1' });
  const id = send('withdraw.payout', payoutOf('W1'));
  await expect.poll(() => office.commands.acksOf(id)).toHaveLength(1);
  resend(id);
  await expect.poll(() => office.commands.acksOf(id)).toHaveLength(2);
  expect(office.commands.acksOf(id).map(({ state }) => state)).toEqual(['done', 'done']);
  exchange.change('W1', 'confirming');
  exchange.change('W1', 'succeed');
  await expect
    .poll(eventIds)
    .toEqual(['user:ID092B2AF8E87', 'withdraw:W1:requested', 'withdraw:W1:paying', 'withdraw:W1:paid']);
  expect(exchange.payments).toEqual(['W1']);
});

test('a payout whose outcome at Peatio is unknown is not started again', async () => {
  exchange.change('W1', 'accepted');
  const ackOf = (id: number) => office.commands.acksOf(id).at(-1)?.state;
  const other = send('withdraw.payout', { ...payoutOf('W1'), amount: '20.6' });
  const missing = send('withdraw.payout', payoutOf('W2'));
  await expect.poll(() => [ackOf(other), ackOf(missing)]).toEqual(['failed', 'failed']);
  exchange.answersToLose = 1;
  const lost = send('withdraw.payout', payoutOf('W1'));
  await expect.poll(() => ackOf(lost)).toBe('unknown');
  resend(lost);
  await expect.poll(() => ackOf(lost)).toBe('done');
  expect(exchange.payments).toEqual(['W1']);
  // Peatio's worker stopped: only a new attempt may start it again, and only once.
  exchange.withdrawals.set('W1', withdraw('W1', 'errored', '20.5'));
  resend(lost);
  await expect.poll(() => ackOf(lost)).toBe('unknown');
  const second = send('withdraw.payout', { ...payoutOf('W1'), attempt: 2 });
  await expect.poll(() => ackOf(second)).toBe('done');
  exchange.withdrawals.set('W1', withdraw('W1', 'errored', '20.5'));
  resend(second);
  await expect.poll(() => ackOf(second)).toBe('unknown');
  expect(exchange.payments).toEqual(['W1', 'W1']);
});

test('a rejected withdrawal is cancelled at Peatio; a command without a call there fails', async () => {
  exchange.change('W1', 'accepted');
  const rejected = send('withdraw.reviewed', { no: 'W1', state: 5, reason: '' });
  await expect.poll(() => office.commands.acksOf(rejected)).toMatchObject([{ state: 'done' }]);
  expect(exchange.withdrawals.get('W1')?.state).toBe('canceled');
  const order = send('order.cancel', { no: '1' });
  await expect.poll(() => office.commands.acksOf(order)).toMatchObject([{ state: 'failed' }]);
});

test('kills between receipt and forwarding lose and repeat nothing', async () => {
  // Stored, but neither forwarded nor acknowledged to the broker.
  office.network.harm('events', 'lost call');
  queue.acksToLose = 1;
  publishDeposit('TID1', 'accepted');
  publishDeposit('TID2', 'accepted');
  expect(String(await Promise.race([run.failure(), office.until(() => false, 20_000)]))).toContain('broker');
  await run.kill();
  expect(queue.length).toBe(2);
  // The same message again; then a kill after the back office has the events and the adapter has no answer.
  await run.start();
  await office.until(() => office.network.hasHarmed('events'), 20_000);
  office.network.harm('events', 'lost answer');
  await office.until(() => office.events.find('recharge.credited').length > 0, 20_000);
  await run.kill();
  office.network.heal();
  await run.start();
  publishDeposit('TID3', 'accepted');
  const expected = ['user:ID092B2AF8E87', 'deposit:TID1:credited', 'deposit:TID2:credited', 'deposit:TID3:credited'];
  await expect.poll(eventIds).toEqual(expected);
  expect(queue.length).toBe(0);
});

test('a message that is published again under another id changes nothing', async () => {
  publishDeposit('TID1', 'accepted');
  await expect.poll(eventIds).toContain('deposit:TID1:credited');
  // Other confirmations under the same event id would be a conflict.
  publish({
    name: 'model.deposit.updated',
    record: deposit('TID1', 'accepted', '100', { blockchain_confirmations: 9 }),
  });
  publishDeposit('TID2', 'accepted');
  await expect.poll(eventIds).toEqual(['user:ID092B2AF8E87', 'deposit:TID1:credited', 'deposit:TID2:credited']);
});

test('messages that are not from Peatio are dropped', async () => {
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const event = { name: 'model.deposit.updated', record: deposit('TID1', 'accepted', '100') };
  const token = exchange.sign(event);
  const [signature] = token.signatures;
  const none = { ...signature, protected: Buffer.from('{"alg":"none"}').toString('base64url'), signature: '' };
  queue.publish('no token', exchange.sign(event, stranger.privateKey), { ...token, signatures: [none] });
  publishDeposit('TID2', 'accepted');
  await expect.poll(eventIds).toEqual(['user:ID092B2AF8E87', 'deposit:TID2:credited']);
  expect(queue.dropped).toHaveLength(3);
  expect(run.logs).toHaveLength(3);
});
