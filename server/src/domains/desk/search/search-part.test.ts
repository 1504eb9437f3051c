import type { SearchRow } from '@hengtai/contract/desk/search/schema';
import type { UserRow } from '@hengtai/contract/people/user/schema';
import type { Page } from '@hengtai/contract/wire/list';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { agentBits } from '../../../database/agent-bits.ts';
import { openNetworks } from '../../../../test/book.ts';
import { type TestOperator, makeOperator, makeUser, makeWithdraw, recharge } from '../../../../test/factories.ts';
import { apply, call, login, provideServer } from '../../../../test/server.ts';
import { vectors } from '../../../../test/vectors.ts';

const server = provideServer({ jobs: false });
let admin: string;
let agent: TestOperator;
let other: TestOperator;
const ADDRESS = '0xAbCd1234567890abcdef1234567890ABCDEF9876';

beforeAll(async () => {
  admin = await login(server);
  agent = await makeOperator(server, admin);
  other = await makeOperator(server, admin);
  for (const [account, owner, remark] of [
    ['jia', agent, ''],
    ['wang.jia', agent, '老客户 张伟 手机13812345678'],
    ['jia100%', agent, ''],
    ['li_jia', other, '张伟的朋友'],
    ['13900001111', other, '黄国庆'],
  ] as const) {
    const name = await makeUser(server, { account: account.replace('%', '.'), agent: owner.account, amount: '100' });
    await server.query(sql`update users set remark = ${remark} where account = ${name}`);
  }
  const withdraw = await makeWithdraw(server, admin, 'jia', { amount: '10', address: ADDRESS });
  await server.query(
    sql`update withdraw set tx_hash = ${'ffee11' + 'ab'.repeat(26) + '77aacc'} where id = ${withdraw.id}`,
  );
  await recharge(server, 'li_jia', '5');
  await server.query(
    sql`update recharge set address = ${ADDRESS} where user_id = (select id from users where account = 'li_jia')`,
  );
});

const get = <T>(path: string, input: object, token = admin) => call<T>(server, 'GET', path, input, { token });
const find = async (word: string, token = admin) => (await get<SearchRow[]>('search', { word }, token)).data;
const findAccounts = async (word: string, token = admin) =>
  (await find(word, token)).filter(({ type }) => type === 'user').map(({ account }) => account);
const findUsers = async (account: string, token = admin) => {
  const { data } = await get<Page<UserRow>>('user/list', { account, size: 50 }, token);
  expect(data.total).toBe(data.list.length);
  return data.list.map((row) => row.account);
};

test.each([
  ['JIA', ['jia', 'jia100.', 'li_jia', 'wang.jia']],
  ['g.ji', ['wang.jia']],
  ['3900001', ['13900001111']],
  ['张伟', ['li_jia', 'wang.jia']],
  ['国庆', ['13900001111']],
  ['庆', ['13900001111']],
  ['381234567', ['wang.jia']],
  ['i_j', ['li_jia']],
  ['0%', []],
  ['张朋', []],
])('finds users by the part %j of account or remark, in full scope and in a tree', async (word, accounts) => {
  expect(await findAccounts(word)).toEqual(accounts);
  const own = new Set(['jia', 'jia100.', 'wang.jia']);
  expect(await findAccounts(word, agent.token)).toEqual(accounts.filter((account) => own.has(account)));
  expect(await findAccounts(word, other.token)).toEqual(accounts.filter((account) => !own.has(account)));
});

test('a list finds rows by part of the account, the exact account first, by prefix and exactly', async () => {
  expect(await findUsers('jia')).toEqual(['jia', 'li_jia', 'jia100.', 'wang.jia']);
  expect(await findUsers('jia', agent.token)).toEqual(['jia', 'jia100.', 'wang.jia']);
  expect(await findUsers('jia', other.token)).toEqual(['li_jia']);
  expect(await findUsers('jia*')).toEqual(['jia100.', 'jia']);
  expect(await findUsers('=jia')).toEqual(['jia']);
  expect(await findUsers('=ji')).toEqual([]);
  for (const token of [admin, agent.token]) expect(await findUsers('张伟', token)).toEqual([]);
});

test('of many users with a part, the account itself comes first, then those that begin with it', async () => {
  await server.query(sql`
    insert into users (account, agent_id, created_at, recorded_at, updated_at, deleted_at)
    select r.account, u.agent_id, u.created_at, u.created_at, u.created_at, case when r.account like '%gone' then u.created_at end
    from users u, (select 'a' || n || 'qz' from generate_series(1, 150) n
      union all values ('qz'), ('qzb'), ('qz.gone')) r(account)
    where u.account = 'jia'`);
  for (const token of [admin, agent.token]) {
    const accounts = await findAccounts('QZ', token);
    expect(accounts).toHaveLength(8);
    expect(accounts.slice(0, 3)).toEqual(['qz', 'qzb', expect.stringMatching(/^a\d+qz$/)]);
  }
  expect(await findAccounts('qz', other.token)).toEqual([]);
  // A list also finds deleted users.
  const found = await server.app.requests.transaction().execute(async (db) => {
    await sql`select set_config('app.scope', 'agents', true), set_config('app.tree', ${agentBits([agent.id]).hex}, true)`.execute(
      db,
    );
    const { rows } = await sql<{ account: string }>`
      select account from users where id in (select find_users('qz', false, 100))`.execute(db);
    return rows.map(({ account }) => account);
  });
  expect(found).toEqual(expect.arrayContaining(['qz', 'qzb', 'qz.gone']));
  await server.query(sql`delete from users where account like '%qz%'`);
});

test.each(['fund/record', 'recharge/list'])('%s counts and sums the rows of the tree alone', async (path) => {
  type Sums = Page<{ account: string }, { count: number; amount: string }>;
  const { data: all } = await get<Sums>(path, { account: 'jia', size: 50 });
  expect(new Set(all.list.map(({ account }) => account))).toEqual(new Set(['jia', 'jia100.', 'wang.jia', 'li_jia']));
  expect(all.list[0]?.account).toBe('jia');
  const { data: own } = await get<Sums>(path, { account: 'jia', size: 50 }, agent.token);
  const { data: rest } = await get<Sums>(path, { account: 'jia', size: 50 }, other.token);
  expect(new Set(rest.list.map(({ account }) => account))).toEqual(new Set(['li_jia']));
  expect(own.total + rest.total).toBe(all.total);
  const amount = ({ summary }: Sums) => Number(summary?.[0]?.amount);
  expect(amount(own) + amount(rest)).toBe(amount(all));
  const { data: none } = await get<Sums>(path, { account: '390000', size: 50 }, agent.token);
  expect(none).toMatchObject({ list: [], total: 0, summary: [] });
});

test('finds withdrawals and recharges by either end of address and hash, without regard to case', async () => {
  const types = async (word: string, token?: string) =>
    (await find(word, token)).map(({ type, account }) => [type, account]);
  for (const word of [ADDRESS, '0xABCD', '0xabcd1234', 'EF9876', ADDRESS.toLowerCase()]) {
    expect(await types(word)).toEqual([
      ['withdraw', 'jia'],
      ['recharge', 'li_jia'],
      ...Array.from({ length: await more() }, () => ['recharge', 'li_jia']),
    ]);
    expect(await types(word, agent.token)).toEqual([['withdraw', 'jia']]);
    expect(
      (await types(word, other.token)).every(([type, account]) => type === 'recharge' && account === 'li_jia'),
    ).toBe(true);
  }
  expect(await types('FFEE11')).toEqual([['withdraw', 'jia']]);
  expect(await types('77aacc')).toEqual([['withdraw', 'jia']]);
  expect(await types('77aacc', other.token)).toEqual([]);
  // Fewer than six characters, and those in the middle, are not looked for.
  expect(await types('0xabc')).toEqual([]);
  expect(await types('34567890abcd')).toEqual([]);
});

test.each(['withdraw', 'recharge'])('the list of %s is filtered by the ends of address and hash', async (noun) => {
  const path = `${noun}/list`;
  type Row = { account: string; address: string };
  const filter = async (input: object, token = admin) => {
    const { data } = await get<Page<Row>>(path, { ...input, size: 50 }, token);
    expect(data.total).toBe(data.list.length);
    return new Set(data.list.map(({ account }) => account));
  };
  const account = noun === 'withdraw' ? 'jia' : 'li_jia';
  const [mine, others] = noun === 'withdraw' ? [agent, other] : [other, agent];
  for (const address of [ADDRESS, '0xABCD', '0xabcd1234', 'EF9876', ADDRESS.toLowerCase()]) {
    expect(await filter({ address })).toEqual(new Set([account]));
    expect(await filter({ address }, mine.token)).toEqual(new Set([account]));
    expect(await filter({ address }, others.token)).toEqual(new Set());
  }
  for (const address of ['0xabc', '34567890abcd', 'ffee11', '%%%%%%']) {
    expect(await filter({ address })).toEqual(new Set());
  }
  expect(await filter({ txHash: 'FFEE11' })).toEqual(new Set(noun === 'withdraw' ? ['jia'] : []));
  expect(await filter({ txHash: '77aacc', address: 'ef9876' })).toEqual(new Set(noun === 'withdraw' ? ['jia'] : []));
  expect(await filter({ txHash: '77aacc', address: 'ef9877' })).toEqual(new Set());
});

test('an end that too many rows share is refused, a whole address is not', async () => {
  await server.query(
    sql`insert into withdraw (no, user_id, agent_id, market_id, network, address, amount, fee, state, created_at, recorded_at, updated_at)
      select 'many' || n, user_id, agent_id, market_id, network, 'TManyManyMany', 1, 0, 5, created_at, recorded_at, updated_at
      from (select * from withdraw limit 1) w, generate_series(1, 5001) n`,
  );
  expect(await get('withdraw/list', { address: 'TManyM' })).toMatchObject({ code: 422 });
  expect((await get<Page<unknown>>('withdraw/list', { address: 'TManyManyMany' })).data.total).toBe(5001);
  await server.query(sql`delete from withdraw where no like 'many%'`);
});

describe('an account is found', () => {
  const texts = vectors.find(({ family }) => family === 'ton')?.texts ?? [];
  const [typed = ''] = texts;
  const second = texts.find((text) => text.startsWith('UQ')) ?? '';
  let id: number;

  beforeAll(async () => {
    await openNetworks(server, 'USDT', ['TON']);
    id = (await makeWithdraw(server, admin, 'jia', { amount: '10', network: 'TON', address: typed, memo: '7' })).id;
  });

  const listed = async (address: string, token = admin) =>
    (await get<Page<{ id: number }>>('withdraw/list', { address, size: 50 }, token)).data.list.map((row) => row.id);
  const found = async (word: string, token = admin) =>
    (await find(word, token)).filter(({ type }) => type === 'withdraw').map((row) => row.id);

  test.each([
    ['the text as typed', typed],
    ['another text', second],
    ['a shortened form', `${typed.slice(0, 4)}…${typed.slice(-4)}`],
    [
      'a longer one with dots, in another case',
      `${typed.slice(0, 9).toUpperCase()}...${typed.slice(-7).toLowerCase()}`,
    ],
    ['the last four', typed.slice(-4)],
    ['the last five', typed.slice(-5)],
  ])('by %s: %j', async (_name, text) => {
    for (const token of [admin, agent.token]) {
      expect([await listed(text, token), await found(text, token)]).toEqual([[id], [id]]);
    }
    expect([await listed(text, other.token), await found(text, other.token)]).toEqual([[], []]);
  });

  test.each([
    ['three characters at one end', `${typed.slice(0, 3)}…${typed.slice(-4)}`],
    ['two dots', `${typed.slice(0, 4)}..${typed.slice(-4)}`],
    ['another end', `${typed.slice(0, 4)}…${typed.slice(-4, -1)}!`],
    ['another begin', `!${typed.slice(1, 4)}…${typed.slice(-4)}`],
    ['the last three', typed.slice(-3)],
  ])('not by %s', async (_name, text) => {
    expect([await listed(text), await found(text)]).toEqual([[], []]);
  });

  test('with its rows of other texts by the ends of the one that was typed', async () => {
    const twin = await makeWithdraw(server, admin, 'jia', { amount: '10', network: 'TON', address: second, memo: '8' });
    for (const text of [
      `${typed.slice(0, 5)}…${typed.slice(-5)}`,
      `${second.slice(0, 4)}...${second.slice(-4)}`,
      typed.slice(-4),
    ]) {
      expect([await listed(text), await found(text)]).toEqual([
        [twin.id, id],
        [twin.id, id],
      ]);
    }
    await server.query(sql`delete from withdraw where id = ${twin.id}`);
  });

  test('unless too many rows end so', async () => {
    await server.query(
      sql`insert into withdraw (no, user_id, agent_id, market_id, network, address, amount, fee, state, created_at, recorded_at, updated_at)
        select 'ends' || n, user_id, agent_id, market_id, network, 'T' || n || 'SameEnd', 1, 0, 5, created_at, recorded_at, updated_at
        from (select * from withdraw limit 1) w, generate_series(1, 5001) n`,
    );
    expect(await get('withdraw/list', { address: 'eEnd' })).toMatchObject({
      code: 422,
      msg: expect.stringContaining('请缩小范围'),
    });
    expect(await listed('T77S…eEnd')).toHaveLength(1);
    await server.query(sql`delete from withdraw where no like 'ends%'`);
  });
});

/** Further recharges of the same user, which have the same address. */
const more = async () =>
  Number(
    (await server.query(sql<{ n: number }>`select count(*) - 1 as n from recharge where address = ${ADDRESS}`))[0]?.n,
  );

test('finds users by the IP of a login', async () => {
  await apply(server, { type: 'user.login', data: { account: 'wang.jia', ip: '203.0.113.77', device: 'phone' } });
  for (const word of ['203.0.113.77', '203.0.', '113.77']) {
    expect(await findAccounts(word)).toEqual(['wang.jia']);
    expect(await findAccounts(word, agent.token)).toEqual(['wang.jia']);
    expect(await findAccounts(word, other.token)).toEqual([]);
  }
});

test('the functions answer candidates of the scope alone, and nothing without one', async () => {
  const call = (scope: string) =>
    sql<{ users: string; ends: string }>`
      select (select count(*) from find_users('jia', true, 100))::text as users, (select count(*) from find_by_ends('0xabcd', 9))::text as ends
      from (select set_config('app.scope', ${scope}, true), set_config('app.tree', '', true)) s`;
  const count = (scope: string) =>
    server.app.requests.transaction().execute(async (db) => {
      await sql`select set_config('app.scope', ${scope}, true), set_config('app.tree', '', true)`.execute(db);
      return (await call(scope).execute(db)).rows[0];
    });
  expect(await count('')).toEqual({ users: '0', ends: '0' });
  expect(await count('agents')).toEqual({ users: '0', ends: '0' });
  expect(Number((await count('all'))?.users)).toBe(4);
});
