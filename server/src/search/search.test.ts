import type { SearchRow } from '@hengtai/contract/search.schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestOperator, findUser, makeOperator, makeUser, makeWithdraw } from '../../test/factories.ts';
import { type TestServer, apply, call, login, testServer } from '../../test/server.ts';

let server: TestServer;
let admin: string;
let agent: TestOperator;
let other: TestOperator;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
  agent = await makeOperator(server, admin);
  other = await makeOperator(server, admin);
});
afterAll(() => server.stop());

const find = (word: string, token = admin) => call<SearchRow[]>(server, 'GET', 'search', { word }, { token });
const found = async (text: string, token = admin) => (await find(text, token)).data.map(({ type, id }) => [type, id]);

test('finds a user by id, by account and by how the account begins, the exact one first', async () => {
  const long = await makeUser(server, { account: 'walter.white', agent: agent.account });
  const short = await makeUser(server, { account: 'walter', agent: agent.account });
  const [longId, shortId] = [(await findUser(server, admin, long)).id, (await findUser(server, admin, short)).id];
  expect(await found('WALTER')).toEqual([
    ['user', shortId],
    ['user', longId],
  ]);
  expect(await found('walter.')).toEqual([['user', longId]]);
  // Signs of a pattern are letters like others.
  expect(await found('walter_w')).toEqual([]);
  expect(await found('%')).toEqual([]);
  expect(await found(String(longId))).toContainEqual(['user', longId]);
});

test("finds a record by its id and by the platform's number, and says whose it is", async () => {
  const account = await makeUser(server, { amount: '100', agent: agent.account });
  const withdraw = await makeWithdraw(server, admin, account, { amount: '10' });
  expect(await found(String(withdraw.id))).toContainEqual(['withdraw', withdraw.id]);
  const { data } = await find(withdraw.no);
  expect(data).toMatchObject([
    { type: 'withdraw', id: withdraw.id, no: withdraw.no, account, state: 0, createdAt: withdraw.createdAt },
  ]);
});

test('finds nothing outside of the own tree', async () => {
  const account = await makeUser(server, { amount: '100', agent: agent.account });
  const withdraw = await makeWithdraw(server, admin, account, { amount: '10' });
  expect(await found(account, agent.token)).toHaveLength(1);
  expect(await found(withdraw.no, agent.token)).toEqual([['withdraw', withdraw.id]]);
  expect(await found(account, other.token)).toEqual([]);
  expect(await found(withdraw.no, other.token)).toEqual([]);
  expect(await found(String(withdraw.id), other.token)).toEqual([]);
});

test('of a transfer that came from elsewhere the other side is not named', async () => {
  const from = await makeUser(server, { amount: '100', agent: other.account });
  const to = await makeUser(server, { agent: agent.account });
  await apply(server, {
    type: 'transfer.made',
    data: { no: 'TR-77', account: from, toAccount: to, market: 'USDT', platform: 1, toPlatform: 1, amount: '1' },
  });
  expect((await find('TR-77', agent.token)).data).toMatchObject([{ type: 'internalTransfer', account: '' }]);
  expect((await find('TR-77', other.token)).data).toMatchObject([{ type: 'internalTransfer', account: from }]);
});

test.each(['', ' x', 'x'.repeat(257)])('%j is refused', async (text) => {
  expect(await find(text)).toMatchObject({ code: 422 });
});
