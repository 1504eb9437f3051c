import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onTron } from '../../../../test/address.ts';
import { type SentEvent, fetchEntries, fetchBalances, expectRejection, setUserState } from '../../../../test/book.ts';
import { makeOperator, makeUser } from '../../../../test/factories.ts';
import { type TestServer, apply, call, login, testServer, unique } from '../../../../test/server.ts';
import { checkBook } from '../../../books/ledger/check.ts';

let server: TestServer;

beforeAll(async () => {
  server = await testServer({ jobs: false });
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});

interface Fields {
  no: string;
  account: string;
  toAccount: string;
  market: string;
  platform: number;
  toPlatform: number;
  amount: string;
}

const fieldsOf = (account: string, toAccount: string, more: Partial<Fields> = {}): Fields => ({
  no: unique('T'),
  account,
  toAccount,
  market: 'USDT',
  platform: 1,
  toPlatform: 1,
  amount: '30',
  ...more,
});
const made = (data: Fields): SentEvent => ({ type: 'transfer.made', data });

describe('transfer.made', () => {
  test('debits the sender and credits the receiver', async () => {
    const from = await makeUser(server, { amount: '100' });
    const to = await makeUser(server);
    const data = fieldsOf(from, to, { amount: '30.500' });
    const at = server.clock.now() - 5_000;
    await apply(server, { ...made(data), at });
    const [row] = await server.query(sql`
      select f.account, t.account as "toAccount", i.platform, i.to_platform as "toPlatform", i.amount, i.state,
        i.created_at as "createdAt"
      from internal_transfer i join users f on f.id = i.user_id join users t on t.id = i.to_user_id where i.no = ${data.no}`);
    expect(row).toEqual({
      account: from,
      toAccount: to,
      platform: 1,
      toPlatform: 1,
      amount: '30.5',
      state: 1,
      createdAt: at,
    });
    const shared = { market: 'USDT', platform: 1, bucket: 'active', refType: 'internalTransfer', createdAt: at };
    expect((await fetchEntries(server, from)).at(-1)).toEqual({ ...shared, type: 4, amount: '-30.5', balance: '69.5' });
    expect(await fetchEntries(server, to)).toEqual([{ ...shared, type: 5, amount: '30.5', balance: '30.5' }]);
  });

  test('moves between account types of two users', async () => {
    const from = await makeUser(server, { amount: '100' });
    const to = await makeUser(server);
    await apply(server, made(fieldsOf(from, to, { toPlatform: 4 })));
    expect(await fetchBalances(server, from)).toEqual({ 'USDT 1 active': '70' });
    expect(await fetchBalances(server, to)).toEqual({ 'USDT 4 active': '30' });
    expect((await fetchEntries(server, to)).at(-1)).toMatchObject({ type: 5, platform: 4 });
  });

  test.each([2, 3, 4])('moves from the fund account to account type %i of the same user and back', async (platform) => {
    const user = await makeUser(server, { amount: '100' });
    await apply(
      server,
      made(fieldsOf(user, user, { toPlatform: platform })),
      made(fieldsOf(user, user.toUpperCase(), { platform, toPlatform: 1, amount: '10' })),
    );
    expect(await fetchBalances(server, user)).toEqual({ 'USDT 1 active': '80', [`USDT ${platform} active`]: '20' });
    expect((await fetchEntries(server, user)).slice(1).map(({ type, amount }) => [type, amount])).toEqual([
      [6, '-30'],
      [6, '30'],
      [6, '-10'],
      [6, '10'],
    ]);
  });

  test('moves at most the available balance', async () => {
    const from = await makeUser(server, { amount: '100' });
    const to = await makeUser(server);
    const excess = fieldsOf(from, to, { amount: '100.000000000000000001' });
    expect(await expectRejection(server, made(excess))).toBe('insufficient');
    expect(await expectRejection(server, made(fieldsOf(from, to, { platform: 2, amount: '1' })))).toBe('insufficient');
    await apply(server, made({ ...excess, amount: '100' }));
    expect(await fetchBalances(server, from)).toEqual({});
  });

  test('does not move a frozen amount', async () => {
    const from = await makeUser(server, { amount: '100' });
    const to = await makeUser(server);
    await apply(server, {
      type: 'withdraw.requested',
      data: { no: unique('W'), account: from, market: 'USDT', ...onTron('any'), amount: '80', fee: '0' },
    });
    expect(await expectRejection(server, made(fieldsOf(from, to, { amount: '21' })))).toBe('insufficient');
    await apply(server, made(fieldsOf(from, to, { amount: '20' })));
  });

  test('is rejected for an unknown user or market', async () => {
    const user = await makeUser(server, { amount: '100' });
    expect(await expectRejection(server, made(fieldsOf('nobody', user)))).toBe('unknown: account');
    expect(await expectRejection(server, made(fieldsOf(user, 'nobody')))).toBe('unknown: toAccount');
    expect(await expectRejection(server, made(fieldsOf(user, user, { market: 'NONE', toPlatform: 2 })))).toBe(
      'unknown: market',
    );
  });

  test('is rejected if sender and receiver are the same account', async () => {
    const user = await makeUser(server, { amount: '100' });
    expect(await expectRejection(server, made(fieldsOf(user, user)))).toBe('same account');
    expect(
      await expectRejection(server, made(fieldsOf(user, user.toUpperCase(), { platform: 3, toPlatform: 3 }))),
    ).toBe('same account');
  });

  test('is rejected while either user is disabled', async () => {
    const from = await makeUser(server, { amount: '100' });
    const to = await makeUser(server, { amount: '100' });
    await setUserState(server, to, 0);
    expect(await expectRejection(server, made(fieldsOf(from, to)))).toBe('frozen');
    expect(await expectRejection(server, made(fieldsOf(to, from)))).toBe('frozen');
    expect(await expectRejection(server, made(fieldsOf(to, to, { toPlatform: 2 })))).toBe('frozen');
    await setUserState(server, to, 1);
    await apply(server, made(fieldsOf(from, to)));
  });

  test('is rejected for a known number', async () => {
    const from = await makeUser(server, { amount: '100' });
    const to = await makeUser(server);
    const data = fieldsOf(from, to);
    await apply(server, made(data));
    expect(await expectRejection(server, made(data))).toBe('exists');
  });

  test.each([0, 5, 1.5, '1'])('is rejected for account type %j', async (platform) => {
    const data = { ...fieldsOf('somebody', 'other'), platform };
    expect(await expectRejection(server, { type: 'transfer.made', data })).toBe('invalid: platform');
    const to = { ...fieldsOf('somebody', 'other'), toPlatform: platform };
    expect(await expectRejection(server, { type: 'transfer.made', data: to })).toBe('invalid: toPlatform');
  });
});

test('the list is filtered by the tree of the sender, and shows nothing of another tree', async () => {
  const admin = await login(server);
  const top = await makeOperator(server, admin);
  const below = await makeOperator(server, top.token, { parent: top.account });
  const other = await makeOperator(server, admin);
  const from = await makeUser(server, { agent: below.account, amount: '100' });
  const to = await makeUser(server, { agent: other.account, amount: '100' });
  const [sent, received] = [fieldsOf(from, to), fieldsOf(to, from)];
  await apply(server, made(sent), made(received));
  const numbersOf = async (agentRoot: string, token = admin) =>
    (
      await call<{ list: { no: string }[] }>(server, 'GET', 'internalTransfer/list', { agentRoot }, { token })
    ).data.list.map(({ no }) => no);
  expect(await numbersOf(top.account)).toEqual([sent.no]);
  expect(await numbersOf(other.account)).toEqual([received.no]);
  // One side of each transfer is in the own tree, but the tree of the other side cannot be asked for.
  expect(await numbersOf(top.account, top.token)).toEqual([sent.no]);
  expect(await numbersOf(other.account, top.token)).toEqual([]);
});
