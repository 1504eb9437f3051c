// @module-tag full
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HollaexExchange, movement, tradeOf } from '../../adapters/test/hollaex-exchange.ts';
import { HollaexRun } from '../../adapters/test/hollaex-run.ts';
import { PeatioExchange, deposit, trade } from '../../adapters/test/peatio-exchange.ts';
import { type Gateway, PeatioRun } from '../../adapters/test/peatio-run.ts';
import { SampleQueue } from '../../adapters/test/queue.ts';
import { checkBook } from '../src/books/ledger/check.ts';
import { findWithdraw } from './factories.ts';
import { type TestServer, call, login, platformCall, testServer } from './server.ts';

let server: TestServer;
let gateway: Gateway;
let admin: string;

beforeAll(async () => {
  server = await testServer();
  const { key, secret } = server.app.platform;
  gateway = { url: await server.server.listen({ host: '127.0.0.1', port: 0 }), key, secret };
  admin = await login(server);
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});

/** Funding balances of a user, by coin. */
async function balancesOf(account: string): Promise<Record<string, string>> {
  interface Balance {
    market: string;
    platform: number;
    active: string;
    frozen: string;
  }
  const { status, data } = await platformCall<Balance[]>(server, 'GET', `balances?account=${account}`);
  if (status !== 200) return {};
  return Object.fromEntries(
    data.map(({ market, platform, active, frozen }) => [`${market} ${platform}`, `${active}/${frozen}`]),
  );
}

test('the back office applies what the Peatio adapter reports, and the adapter pays what an operator passes', async () => {
  const exchange = new PeatioExchange();
  const queue = new SampleQueue();
  exchange.publish = (message) => queue.publish(message);
  const run = new PeatioRun(gateway, exchange, queue, await exchange.listen());
  await run.start();
  const credit = (tid: string, uid: string, currency: string, amount: string) =>
    queue.publish(
      exchange.sign({ name: 'model.deposit.updated', record: deposit(tid, 'accepted', amount, { uid, currency }) }),
    );
  const user = 'ID092B2AF8E87';
  credit('TID1', user, 'usdt', '100');
  credit('TID2', 'IDSELLER', 'htx', '10');
  queue.publish(exchange.sign(trade(user, 'IDSELLER')));
  await expect.poll(() => balancesOf(user)).toMatchObject({ 'USDT 1': '70/0', 'HTT 1': '9.98/0', 'USDT 2': '0/0' });
  expect(await balancesOf('IDSELLER')).toMatchObject({ 'HTT 1': '0/0', 'USDT 1': '29.94/0' });
  exchange.change('W1', 'accepted');
  await expect.poll(() => balancesOf(user)).toMatchObject({ 'USDT 1': '48.5/21.5' });
  const row = await findWithdraw(server, admin, 'W1');
  expect((await call(server, 'POST', 'withdraw/pass', { id: row.id }, { token: admin })).code).toBe(200);
  await expect.poll(() => exchange.payments).toEqual(['W1']);
  exchange.change('W1', 'confirming');
  exchange.change('W1', 'succeed');
  await expect.poll(() => balancesOf(user)).toMatchObject({ 'USDT 1': '48.5/0' });
  await run.remove();
  await exchange.close();
});

test('the back office applies what the HollaEx plugin reports, also after a kill', async () => {
  const exchange = new HollaexExchange();
  const run = new HollaexRun(gateway, exchange, await exchange.listen());
  exchange.deposits.push(movement(1, 1, 50, { status: true }));
  exchange.deposits.push(movement(2, 2, 10, { status: true, currency: 'xht', network: 'eth' }));
  exchange.trades.push(tradeOf(30));
  await run.start();
  await expect.poll(() => balancesOf('hollaex-1')).toMatchObject({ 'USDT 1': '44/0', 'HTT 1': '9.95/0' });
  expect(await balancesOf('hollaex-2')).toMatchObject({ 'USDT 1': '5.997/0', 'HTT 1': '0/0' });
  const { no = '' } = (await run.post(1, { currency: 'usdt', address: 'T-user', amount: '20', key: 'k' })).data;
  await expect.poll(() => balancesOf('hollaex-1')).toMatchObject({ 'USDT 1': '23/21' });
  await run.kill();
  const row = await findWithdraw(server, admin, no);
  expect((await call(server, 'POST', 'withdraw/pass', { id: row.id }, { token: admin })).code).toBe(200);
  await run.start();
  await expect.poll(() => exchange.withdrawals).toHaveLength(1);
  exchange.change(exchange.withdrawals, 501, { status: true });
  await expect.poll(() => balancesOf('hollaex-1')).toMatchObject({ 'USDT 1': '23/0' });
  await run.remove();
  await exchange.close();
});
