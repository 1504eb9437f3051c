import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onTron } from '../../test/address.ts';
import { makeUser, recharge } from '../../test/factories.ts';
import { type TestServer, apply, platformCall, send, testServer, unique } from '../../test/server.ts';
import { checkBook } from '../books/ledger/check.ts';

let server: TestServer;

beforeAll(async () => {
  server = await testServer({ jobs: false });
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});

describe('balances', () => {
  test('returns every coin and account type that was ever used, as canonical decimals', async () => {
    const user = await makeUser(server, { amount: '100.50' });
    await recharge(server, user, '0.000000000000000001', 'BTC');
    await apply(
      server,
      {
        type: 'transfer.made',
        data: {
          no: unique('T'),
          account: user,
          toAccount: user,
          market: 'USDT',
          platform: 1,
          toPlatform: 3,
          amount: '100.5',
        },
      },
      {
        type: 'transfer.made',
        data: {
          no: unique('T'),
          account: user,
          toAccount: user,
          market: 'USDT',
          platform: 3,
          toPlatform: 1,
          amount: '60',
        },
      },
      {
        type: 'withdraw.requested',
        data: {
          no: unique('W'),
          account: user,
          market: 'USDT',
          ...onTron('1'),
          amount: '20',
          fee: '1',
        },
      },
    );
    const answer = await platformCall(server, 'GET', `balances?account=${user}`);
    expect(answer).toMatchObject({ status: 200, code: 200, msg: 'ok' });
    expect(answer.data).toEqual([
      { market: 'USDT', platform: 1, active: '40', frozen: '20' },
      { market: 'BTC', platform: 1, active: '0.000000000000000001', frozen: '0' },
      { market: 'USDT', platform: 3, active: '40.5', frozen: '0' },
    ]);
    expect((await platformCall(server, 'GET', `balances?account=${user.toUpperCase()}`)).data).toEqual(answer.data);
  });

  test('returns an empty list before the first deposit', async () => {
    const user = await makeUser(server);
    expect(await platformCall(server, 'GET', `balances?account=${user}`)).toMatchObject({ code: 200, data: [] });
  });

  test('answers 404 for an unknown account and 422 for a missing or malformed one', async () => {
    expect(await platformCall(server, 'GET', 'balances?account=nobody')).toMatchObject({
      status: 404,
      code: 404,
      data: null,
    });
    expect(await platformCall(server, 'GET', 'balances')).toMatchObject({ status: 422, code: 422 });
    expect(await platformCall(server, 'GET', 'balances?account=a%00b')).toMatchObject({ status: 422, code: 422 });
  });
});

describe('markets', () => {
  test('returns the configuration with amounts as strings, and no price before a tick', async () => {
    const before = await platformCall<Record<string, unknown>[]>(server, 'GET', 'markets');
    expect(before).toMatchObject({ status: 200, code: 200 });
    expect(before.data.map((row) => row['marketName'])).toEqual(['USDT', 'BTC', 'ETH', 'SOL', 'XRP', 'HTT']);
    expect(before.data[0]).toEqual({
      marketName: 'USDT',
      state: 1,
      spot: 0,
      future: 0,
      second: 0,
      ieo: 0,
      pricePrecision: 4,
      amountPrecision: 6,
      minAmount: '0',
      maxAmount: '0',
      makerFee: '0.001',
      takerFee: '0.001',
      maxLeverage: 1,
      maintenanceRate: '0.005',
      withdrawFee: '1',
      withdrawMin: '1',
      withdrawMax: '0',
      rechargeState: 1,
      withdrawState: 1,
      networks: [
        { network: 'TRC20', explorer: 'https://tronscan.org/#/transaction/{tx}', fee: '1', recharge: 1, withdraw: 1 },
        { network: 'ERC20', explorer: 'https://etherscan.io/tx/{tx}', fee: '1', recharge: 1, withdraw: 1 },
      ],
      price: null,
      halted: [],
    });
    expect(before.data[3]?.['price']).toBeNull();
    await apply(server, { type: 'tick', data: { market: 'SOL', price: '148.20', at: server.clock.now() } });
    const after = await platformCall<Record<string, unknown>[]>(server, 'GET', 'markets');
    expect(after.data[3]).toMatchObject({ marketName: 'SOL', price: '148.2' });
  });
});

describe('a withdrawal', () => {
  test('is returned by its number, as it was reported and with its state', async () => {
    const account = await makeUser(server, { amount: '50' });
    const reported = { account, market: 'USDT', ...onTron('1'), memo: '7', amount: '20', fee: '1' };
    const no = `W/${unique('a b')}`;
    await apply(server, { type: 'withdraw.requested', data: { no, ...reported } });
    const read = (path: string) => platformCall(server, 'GET', path);
    const answer = await read(`withdrawals?no=${encodeURIComponent(no)}`);
    expect(answer.data).toEqual({ no, ...reported, state: 0, attempt: 0, txHash: '' });
    await apply(server, { type: 'withdraw.cancelled', data: { no } });
    expect((await read(`withdrawals?no=${encodeURIComponent(no)}`)).data).toMatchObject({ state: 6 });
    expect(await read('withdrawals?no=W-unknown')).toMatchObject({ status: 404, error: 'not_found' });
    expect(await read('withdrawals')).toMatchObject({ status: 422, error: 'invalid' });
  });
});

describe('a user', () => {
  test('is returned by its account in any case, with its agent and switches', async () => {
    const account = await makeUser(server);
    const { data } = await platformCall(server, 'GET', `users?account=${account.toUpperCase()}`);
    const switches = { state: 1, trade: 1, ieoBuy: 1, ieoSell: 1, ai: 0, winType: 0, winRate: null };
    expect(data).toEqual({ account, agent: expect.any(String) as string, ...switches });
    expect(await platformCall(server, 'GET', 'users?account=nobody')).toMatchObject({ status: 404 });
  });
});

describe('an event', () => {
  const read = (eventId: string) => platformCall(server, 'GET', `events/${encodeURIComponent(eventId)}`);

  test.each(['e-1', 'a/b c%2F?d=é&', '编'.repeat(128)])(
    'that was applied is returned by its id %s',
    async (eventId) => {
      const at = server.clock.now() - 5_000;
      await apply(server, { eventId, type: 'user.registered', data: { account: unique('event-') }, at });
      const answer = await read(eventId);
      expect(answer).toMatchObject({ status: 200, code: 200 });
      const recordedAt = expect.any(Number) as number;
      expect(answer.data).toEqual({ eventId, type: 'user.registered', at, recordedAt, result: 'applied' });
    },
  );

  test('that was rejected or never sent is not found', async () => {
    const rejected = unique('rejected-');
    await send(server, { eventId: rejected, type: 'user.login', data: { account: 'nobody', ip: '198.51.100.7' } });
    for (const id of [rejected, 'E-1', '', 'x'.repeat(129), '\u0000', '\ud7ff\n'])
      expect([id, await read(id)]).toMatchObject([id, { status: 404, code: 404, error: 'not_found' }]);
  });

  test('takes no query', async () => {
    expect(await platformCall(server, 'GET', 'events/e-1?full=1')).toMatchObject({ code: 422, error: 'invalid' });
  });
});
