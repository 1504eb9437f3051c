import type { SearchRow } from '@hengtai/contract/desk/search/schema';
import { beforeAll, expect, test } from 'vitest';
import { type TestOperator, findUser, makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { apply, call, login, provideServer } from '../../../../test/server.ts';

const server = provideServer({ jobs: false });
let admin: string;
let agent: TestOperator;
let other: TestOperator;

beforeAll(async () => {
  admin = await login(server);
  agent = await makeOperator(server, admin);
  other = await makeOperator(server, admin);
});

const find = (word: string, token = admin) => call<SearchRow[]>(server, 'GET', 'search', { word }, { token });
const findIds = async (text: string, token = admin) => (await find(text, token)).data.map(({ type, id }) => [type, id]);

test('finds a user by id, account and prefix of the account, the exact match first', async () => {
  const long = await makeUser(server, { account: 'walter.white', agent: agent.account });
  const short = await makeUser(server, { account: 'walter', agent: agent.account });
  const [longId, shortId] = [(await findUser(server, admin, long)).id, (await findUser(server, admin, short)).id];
  expect(await findIds('WALTER')).toEqual([
    ['user', shortId],
    ['user', longId],
  ]);
  expect(await findIds('walter.')).toEqual([['user', longId]]);
  // Pattern characters are matched literally.
  expect(await findIds('walter_w')).toEqual([]);
  expect(await findIds('%')).toEqual([]);
  expect(await findIds(String(longId))).toContainEqual(['user', longId]);
});

test('finds a record by its id and by the platform number, with its user', async () => {
  const account = await makeUser(server, { amount: '100', agent: agent.account });
  const withdraw = await makeWithdraw(server, admin, account, { amount: '10' });
  expect(await findIds(String(withdraw.id))).toContainEqual(['withdraw', withdraw.id]);
  const { data } = await find(withdraw.no);
  expect(data).toMatchObject([
    { type: 'withdraw', id: withdraw.id, no: withdraw.no, account, state: 0, createdAt: withdraw.createdAt },
  ]);
});

test('finds nothing outside the scope of the operator', async () => {
  const account = await makeUser(server, { amount: '100', agent: agent.account });
  const withdraw = await makeWithdraw(server, admin, account, { amount: '10' });
  expect(await findIds(account, agent.token)).toHaveLength(1);
  expect(await findIds(withdraw.no, agent.token)).toEqual([['withdraw', withdraw.id]]);
  expect(await findIds(account, other.token)).toEqual([]);
  expect(await findIds(withdraw.no, other.token)).toEqual([]);
  expect(await findIds(String(withdraw.id), other.token)).toEqual([]);
});

test('hides the other side of a transfer if it is outside the scope', async () => {
  const from = await makeUser(server, { amount: '100', agent: other.account });
  const to = await makeUser(server, { agent: agent.account });
  await apply(server, {
    type: 'transfer.made',
    data: { no: 'TR-77', account: from, toAccount: to, market: 'USDT', platform: 1, toPlatform: 1, amount: '1' },
  });
  expect((await find('TR-77', agent.token)).data).toMatchObject([{ type: 'internalTransfer', account: '' }]);
  expect((await find('TR-77', other.token)).data).toMatchObject([{ type: 'internalTransfer', account: from }]);
});

test.each(['', ' x', 'x'.repeat(257)])('refuses the word %j', async (text) => {
  expect(await find(text)).toMatchObject({ code: 422 });
});
