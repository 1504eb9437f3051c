import type { AgentRow } from '@hengtai/contract/people/agent/schema';
import { MS_MAX, type Page } from '@hengtai/contract/wire/list';
import type { UserRow } from '@hengtai/contract/people/user/schema';
import type { WithdrawRow, WithdrawSum } from '@hengtai/contract/funds/withdraw/schema';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestOperator, makeOperator, makeUser } from '../../../test/factories.ts';
import { type ApiResponse, call, login, provideServer } from '../../../test/server.ts';

type Withdraws = Page<WithdrawRow, WithdrawSum>;

const server = provideServer({ jobs: false });
let admin: string;
/** A chain top > middle > low, and separate trees: `sibling`, `bare` with users but no withdrawals, `dry` without users. */
let agents: Record<'top' | 'middle' | 'low' | 'sibling' | 'bare' | 'dry', TestOperator>;
let random: () => number;

const T0 = 1_700_000_000_000;
const ROWS = 600;

beforeAll(async () => {
  admin = await login(server);
  random = makeRandom(20_260_101);
  const top = await makeOperator(server, admin, { account: 'List.Top' });
  const middle = await makeOperator(server, admin, { account: 'List.Middle', parent: top.account });
  const low = await makeOperator(server, admin, { account: 'List.Low', parent: middle.account });
  const sibling = await makeOperator(server, admin, { account: 'List.Sibling' });
  const bare = await makeOperator(server, admin, { account: 'List.Bare' });
  const dry = await makeOperator(server, admin, { account: 'List.Dry' });
  agents = { top, middle, low, sibling, bare, dry };
  const users = ['Top_user', 'Top-user', 'TopXuser', 'middle.user', 'low.user', 'sibling.user', 'low.dormant'];
  const owners = [top, top, top, middle, low, sibling, low];
  for (const [index, account] of users.entries())
    await makeUser(server, { account, agent: owners[index]?.account ?? '' });
  await makeUser(server, { account: 'bare.user', agent: bare.account });
  await insertWithdraws();
});

/** A generator of pseudo-random numbers from 0 to 1 with a fixed seed. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
const randomBelow = (n: number): number => Math.floor(random() * n);

/** Random withdrawals: amounts with 18 decimals, three coins, all states, repeated times. */
async function insertWithdraws(): Promise<void> {
  const users = await server.query(sql<{ id: number; agent: number }>`
    select id, agent_id as agent from users where account not in ('bare.user', 'low.dormant') order by id`);
  const rows = Array.from({ length: ROWS }, (_, index) => {
    const user = users[randomBelow(users.length)];
    const amount = `${randomBelow(1_000_000)}.${String(randomBelow(1_000_000_000)).padStart(18, '7')}`;
    const risk = ['{}', '{first_address}', '{shared_address,first_address}'][randomBelow(3)];
    const valuation = randomBelow(4) === 0 ? null : `${randomBelow(1_000)}.5`;
    return sql`(${`no-${index}`}, ${user?.id}, ${user?.agent}, ${1 + randomBelow(3)}, 'TRC20', ${`addr%_${randomBelow(5)}`}, ${amount}::numeric + 1,
      '0.000000000000000001'::numeric, ${randomBelow(10)}, ${valuation}::numeric, ${risk}::text[], ${T0 + randomBelow(50)}, ${T0}, ${T0})`;
  });
  await server.query(sql`insert into withdraw (no, user_id, agent_id, market_id, network, address, amount, fee, state, valuation,
    risk, created_at, recorded_at, updated_at) values ${sql.join(rows)}`);
}

const list = <T = Withdraws>(input: object, token = admin, path = 'withdraw/list'): Promise<ApiResponse<T>> =>
  call<T>(server, 'GET', path, input, { token });

/** Fetches the expected result by plain SQL: the ids in order and the sums per coin. */
async function fetchExpected(where: ReturnType<typeof sql>) {
  const ids = await server.query(sql<{ id: number }>`
    select w.id from withdraw w join users u on u.id = w.user_id where ${where} order by w.id desc`);
  const sums = await server.query(sql<WithdrawSum>`
    select m.id as "marketId", m.market_name as "marketName", count(*) as count, sum(w.amount) as amount, sum(w.fee) as fee,
      sum(w.amount - w.fee) as received
    from withdraw w join users u on u.id = w.user_id join market m on m.id = w.market_id where ${where}
    group by m.id, m.market_name, m.sort order by m.sort, m.id`);
  return { ids: ids.map(({ id }) => id), sums };
}

/** Compares every page, the total and the sums with plain SQL; returns the total. */
async function expectSame(input: object, where: ReturnType<typeof sql>, token = admin): Promise<number> {
  const expected = await fetchExpected(where);
  const first = await list({ ...input, size: 200 }, token);
  expect([input, first.code, first.data.total]).toEqual([input, 200, expected.ids.length]);
  expect(first.data.summary).toEqual(expected.sums);
  const found: number[] = [];
  for (let page = 1; page === 1 || (page - 1) * 70 < expected.ids.length; page += 1) {
    const { data } = await list({ ...input, page, size: 70 }, token);
    found.push(...data.list.map(({ id }) => id));
    expect([data.total, data.summary]).toEqual([expected.ids.length, expected.sums]);
  }
  expect(found).toEqual(expected.ids);
  return expected.ids.length;
}

const under = (...who: (keyof typeof agents)[]) => sql`w.agent_id in (${sql.join(who.map((name) => agents[name].id))})`;

describe('pages, totals and sums equal plain SQL', () => {
  test('without a filter', async () => {
    expect(await expectSame({}, sql`true`)).toBe(ROWS);
    expect(
      await expectSame({ account: '', state: -1, agent: '', agentRoot: '', risk: '', from: '', sort: '' }, sql`true`),
    ).toBe(ROWS);
  });

  test('with each filter', async () => {
    for (let state = 0; state < 10; state += 1) await expectSame({ state }, sql`w.state = ${state}`);
    for (const marketId of [1, 2, 3, 4]) await expectSame({ marketId }, sql`w.market_id = ${marketId}`);
    await expectSame({ no: 'no-17' }, sql`w.no = 'no-17'`);
    await expectSame({ address: 'addr%_1' }, sql`w.address = 'addr%_1'`);
    expect(await expectSame({ address: 'addr__1' }, sql`false`)).toBe(0);
    expect(await expectSame({ txHash: '0x1' }, sql`false`)).toBe(0);
    for (const risk of ['first_address', 'shared_address', 'over_limit'])
      await expectSame({ risk }, sql`${risk} = any(w.risk)`);
    const [user] = await server.query(sql<{ id: number }>`select id from users where account = 'low.user'`);
    expect(await expectSame({ userId: user?.id }, sql`w.user_id = ${user?.id}`)).toBeGreaterThan(0);
    const [row] = await server.query(sql<{ id: number }>`select min(id) as id from withdraw`);
    expect(await expectSame({ id: row?.id }, sql`w.id = ${row?.id}`)).toBe(1);
  });

  test('with random combinations of filters', async () => {
    for (let round = 0; round < 40; round += 1) {
      const [state, marketId, from] = [randomBelow(10), 1 + randomBelow(3), T0 + randomBelow(40)];
      const to = from + randomBelow(20);
      const picks = {
        state: randomBelow(2) === 0,
        marketId: randomBelow(2) === 0,
        times: randomBelow(2) === 0,
        low: randomBelow(3) === 0,
        states: randomBelow(2) === 0,
        amounts: randomBelow(2) === 0,
      };
      const states = Array.from({ length: 1 + randomBelow(10) }, () => randomBelow(10));
      const least = `${randomBelow(700_000)}.000000000123456789`;
      const most = `${700_000 + randomBelow(400_000)}.5`;
      const input = {
        ...(picks.state && { state }),
        ...(picks.marketId && { marketId }),
        ...(picks.times && { from, to }),
        ...(picks.low && { agentRoot: 'list.middle' }),
        ...(picks.states && { states: states.join(',') }),
        ...(picks.amounts && { amountFrom: least, amountTo: most }),
      };
      const where = sql`(${!picks.state} or w.state = ${state}) and (${!picks.marketId} or w.market_id = ${marketId})
        and (${!picks.times} or w.created_at between ${from} and ${to}) and (${!picks.low} or ${under('middle', 'low')})
        and (${!picks.states} or w.state in (${sql.join(states)}))
        and (${!picks.amounts} or w.amount between ${least}::numeric and ${most}::numeric)`;
      await expectSame(input, where);
    }
  });

  test('with several states, alone and together with one', async () => {
    expect(await expectSame({ states: '1,2,8' }, sql`w.state in (1, 2, 8)`)).toBeGreaterThan(0);
    await expectSame({ states: '8' }, sql`w.state = 8`);
    await expectSame({ states: '8,8' }, sql`w.state = 8`);
    await expectSame({ states: '1,2', state: 2 }, sql`w.state = 2`);
    expect(await expectSame({ states: '1,2', state: 3 }, sql`false`)).toBe(0);
    await expectSame({ states: '' }, sql`true`);
    await expectSame({ states: '-1' }, sql`true`);
  });

  test('with an inclusive range of amounts', async () => {
    const [row] = await server.query(sql<{ amount: string }>`
      select trim_scale(amount) as amount from withdraw order by amount offset 200 limit 1`);
    const amount = row?.amount ?? '';
    expect(await expectSame({ amountFrom: amount, amountTo: amount }, sql`w.amount = ${amount}::numeric`)).toBe(1);
    expect(await expectSame({ amountFrom: amount }, sql`w.amount >= ${amount}::numeric`)).toBe(ROWS - 200);
    expect(await expectSame({ amountTo: amount }, sql`w.amount <= ${amount}::numeric`)).toBe(201);
    await expectSame({ amountFrom: '', amountTo: '-1' }, sql`true`);
    await expectSame(
      { amountTo: amount, states: '0,5', account: 'top*' },
      sql`w.amount <= ${amount}::numeric and w.state in (0, 5)
      and u.account in ('Top_user', 'Top-user', 'TopXuser')`,
    );
  });

  test('sums are exact to the last decimal', async () => {
    const scaled = (text: string): bigint => {
      const [whole = '', places = ''] = text.split('.');
      return BigInt(whole + places.padEnd(18, '0'));
    };
    const rows = await Promise.all([1, 2, 3].map((page) => list({ page, size: 200 })));
    const received = rows.flatMap(({ data }) => data.list).reduce((sum, row) => sum + scaled(row.received), 0n);
    expect(rows[0]?.data.summary?.reduce((sum, coin) => sum + scaled(coin.received), 0n)).toBe(received);
  });

  test('from and to are inclusive', async () => {
    expect(await expectSame({ from: T0 + 7, to: T0 + 7 }, sql`w.created_at = ${T0 + 7}`)).toBeGreaterThan(0);
    await expectSame({ from: T0 + 7 }, sql`w.created_at >= ${T0 + 7}`);
    await expectSame({ to: T0 + 7 }, sql`w.created_at <= ${T0 + 7}`);
    expect(await expectSame({ from: T0 + 8, to: T0 + 7 }, sql`false`)).toBe(0);
    expect(await expectSame({ from: 0, to: MS_MAX }, sql`true`)).toBe(ROWS);
  });
});

describe('account filters', () => {
  test('match any part without regard to case, the whole account with a leading =, or a prefix with a trailing *', async () => {
    await expectSame({ account: 'TOP_USER' }, sql`u.account = 'Top_user'`);
    await expectSame({ account: '=TOP_USER' }, sql`u.account = 'Top_user'`);
    expect(await expectSame({ account: '=top' }, sql`false`)).toBe(0);
    const top = sql`u.account in ('Top_user', 'Top-user', 'TopXuser')`;
    expect(await expectSame({ account: 'op' }, sql`u.account like '%op%'`)).toBeGreaterThan(0);
    expect(await expectSame({ account: 'top', agentRoot: 'list.top' }, top)).toBeGreaterThan(0);
    expect(
      await expectSame({ account: 'top*' }, sql`u.account in ('Top_user', 'Top-user', 'TopXuser')`),
    ).toBeGreaterThan(0);
    await expectSame({ account: '*' }, sql`true`);
  });

  test('combine a prefix with other filters', async () => {
    const top = sql`u.account in ('Top_user', 'Top-user', 'TopXuser')`;
    // All users of list.top have the prefix, but not all users in its subtree.
    expect(await expectSame({ account: 'top*', agent: 'list.top' }, top)).toBeGreaterThan(0);
    expect(await expectSame({ account: 'top*', agentRoot: 'list.top' }, top)).toBeGreaterThan(0);
    expect(await expectSame({ account: 'top*', agentRoot: 'list.middle' }, sql`false`)).toBe(0);
    expect(await expectSame({ account: 'top*', agent: 'no-such-agent' }, sql`false`)).toBe(0);
    expect(await expectSame({ account: '*', agentRoot: 'list.middle' }, under('middle', 'low'))).toBeGreaterThan(0);
    await expectSame({ account: 'top-*', state: 3 }, sql`u.account = 'Top-user' and w.state = 3`);
    await expectSame({ account: 'top*', from: T0 + 7, to: T0 + 30 }, sql`${top} and w.created_at between ${T0 + 7} and ${T0 + 30}`);
    expect(await expectSame({ account: 'top*', risk: 'first_address' }, sql`${top} and 'first_address' = any(w.risk)`)).toBeGreaterThan(0);
    await expectSame({ account: '*', risk: 'first_address', agentRoot: 'list.middle' }, sql`${under('middle', 'low')} and 'first_address' = any(w.risk)`);
    await expectSame({ account: 'l*', address: 'addr%_1', marketId: 2 }, sql`u.account = 'low.user' and w.address = 'addr%_1' and w.market_id = 2`);
    const [low] = await server.query(sql<{ id: number }>`select id from users where account = 'low.user'`);
    expect(await expectSame({ account: 'low*', userId: low?.id }, sql`u.account = 'low.user'`)).toBeGreaterThan(0);
    expect(await expectSame({ account: 'top*', userId: low?.id }, sql`false`)).toBe(0);
    // All users in the tree of list.low have the prefix, which is not so for list.middle.
    expect(await expectSame({ account: 'low.*' }, under('low'), agents.low.token)).toBeGreaterThan(0);
    expect(await expectSame({ account: 'low.*' }, under('low'), agents.middle.token)).toBeGreaterThan(0);
    expect(await expectSame({ account: 'top*' }, sql`false`, agents.middle.token)).toBe(0);
    const users = await list<Page<UserRow>>({ account: 'low.*', sort: 'id' }, agents.low.token, 'user/list');
    expect(users.data).toMatchObject({ total: 2, list: [{ account: 'low.user' }, { account: 'low.dormant' }] });
    const named = await list<Page<UserRow>>({ account: 'low.d*' }, agents.low.token, 'user/list');
    expect(named.data).toMatchObject({ total: 1, list: [{ account: 'low.dormant' }] });
  }); // prettier-ignore

  test('take the wildcards of LIKE literally', async () => {
    await expectSame({ account: 'top_*' }, sql`u.account = 'Top_user'`);
    for (const account of [
      'top%',
      'top%*',
      '%*',
      '%',
      'top_user%*',
      '*user',
      't*r*',
      String.raw`top\_*`,
      String.raw`\*`,
      '**',
    ]) {
      expect([account, await expectSame({ account }, sql`false`)]).toEqual([account, 0]);
    }
  });

  test('of agents match the direct agent or its subtree', async () => {
    const unknown = ['no-such-agent', '=list', 'op*', 'top_user', '%', '*.'];
    for (const account of unknown) {
      expect(await expectSame({ agent: account }, sql`false`)).toBe(0);
      expect(await expectSame({ agentRoot: account }, sql`false`)).toBe(0);
    }
    expect(await expectSame({ agent: 'LIST.TOP' }, under('top'))).toBeGreaterThan(0);
    expect(await expectSame({ agentRoot: 'LIST.TOP' }, under('top', 'middle', 'low'))).toBeGreaterThan(0);
    expect(await expectSame({ agentRoot: 'list.low', agent: 'list.low' }, under('low'))).toBeGreaterThan(0);
    expect(await expectSame({ agentRoot: 'list.low', agent: 'list.top' }, sql`false`)).toBe(0);
    expect(await expectSame({ agentRoot: 'admin' }, sql`true`)).toBe(ROWS);
    expect(await expectSame({ agent: 'admin' }, sql`false`)).toBe(0);
    expect(await expectSame({ agent: 'T.' }, sql`true`)).toBe(ROWS);
    expect(await expectSame({ agent: 'list.*', state: 3 }, sql`w.state = 3`)).toBeGreaterThan(0);
    expect(await expectSame({ agent: 'l' }, under('low'), agents.low.token)).toBeGreaterThan(0);
    expect(await expectSame({ agentRoot: '.m' }, under('middle', 'low'))).toBeGreaterThan(0);
    expect(await expectSame({ agentRoot: 'l', account: 'top*' }, sql`false`, agents.middle.token)).toBe(0);
    expect(await expectSame({ agentRoot: '=list.middle' }, under('middle', 'low'))).toBeGreaterThan(0);
  });

  test('match only inside the operator’s own tree', async () => {
    const { token } = agents.middle;
    await expectSame({}, under('middle', 'low'), token);
    await expectSame({ agentRoot: 'list.middle' }, under('middle', 'low'), token);
    for (const account of ['list.top', 'list.sibling', 'admin']) {
      expect(await expectSame({ agentRoot: account }, sql`false`, token)).toBe(0);
      expect(await expectSame({ agent: account }, sql`false`, token)).toBe(0);
    }
  });
});

describe('empty results', () => {
  test('for a tree with users but no rows, and for a tree without users', async () => {
    for (const { account, token } of [agents.bare, agents.dry]) {
      for (const answer of [await list({ agentRoot: account }), await list({}, token)]) {
        expect(answer).toMatchObject({ code: 200, data: { list: [], total: 0, summary: [] } });
      }
    }
    const users = await list<Page<UserRow>>({}, agents.dry.token, 'user/list');
    expect(users.data).toEqual({ list: [], total: 0 });
    const below = await list<Page<AgentRow>>({}, agents.dry.token, 'agent/list');
    expect(below.data.list.map(({ account, userCount, agentCount }) => [account, userCount, agentCount])).toEqual([
      ['List.Dry', 0, 0],
    ]);
  });

  test('for a user without withdrawals', async () => {
    expect((await list({ account: 'low.dormant' })).data).toEqual({ list: [], total: 0, summary: [] });
    const users = await list<Page<UserRow>>({ account: 'low.dormant' }, agents.low.token, 'user/list');
    expect(users.data.list).toMatchObject([
      { account: 'low.dormant', agent: 'List.Low', agentRoot: 'List.Low', valuation: '0' },
    ]);
  });
});

describe('order', () => {
  const listIds = async (input: object): Promise<number[]> =>
    (await list({ size: 200, ...input })).data.list.map(({ id }) => id);
  const expectedIds = async (order: ReturnType<typeof sql>): Promise<number[]> =>
    (await server.query(sql<{ id: number }>`select id from withdraw order by ${order} limit 200`)).map(({ id }) => id);

  test('is newest id first by default, or as requested, with the id as tie-breaker', async () => {
    expect(await listIds({})).toEqual(await expectedIds(sql`id desc`));
    expect(await listIds({ sort: 'id' })).toEqual(await expectedIds(sql`id`));
    expect(await listIds({ sort: '-id' })).toEqual(await expectedIds(sql`id desc`));
    expect(await listIds({ sort: 'createdAt' })).toEqual(await expectedIds(sql`created_at, id`));
    expect(await listIds({ sort: '-createdAt' })).toEqual(await expectedIds(sql`created_at desc, id desc`));
    expect(await listIds({ sort: 'amount' })).toEqual(await expectedIds(sql`amount, id`));
    expect(await listIds({ sort: '-valuation' })).toEqual(await expectedIds(sql`valuation desc nulls last, id desc`));
    const last = (await listIds({ sort: 'valuation', size: 100, page: ROWS / 100 })).toReversed();
    expect(last).toEqual((await expectedIds(sql`valuation desc nulls first, id desc`)).slice(0, 100));
  });

  test('allows declared fields only', async () => {
    for (const sort of ['fee', 'account', 'no', 'w.id', 'id desc']) {
      expect(await list({ sort })).toMatchObject({ code: 422, data: [{ field: 'sort' }] });
    }
    expect(await list({ sort: 'amount' }, admin, 'user/list')).toMatchObject({ code: 422, data: [{ field: 'sort' }] });
  });

  test('allows fields other than id and createdAt for at most 50,000 rows', { tags: ['full'] }, async () => {
    const [user] = await server.query(sql<{ id: number; agent: number }>`
      select id, agent_id as agent from users where account = 'bare.user'`);
    await server.query(sql`insert into withdraw (no, user_id, agent_id, market_id, network, address, amount, fee, state, created_at,
        recorded_at, updated_at)
      select 'many-' || n, ${user?.id}, ${user?.agent}, 1, 'TRC20', 'all', 1, 0, 0, ${T0}, ${T0}, ${T0}
      from generate_series(1, 50001) n`);
    const many = { account: 'bare.user' };
    for (const more of [{}, { from: T0 }, { address: 'all' }, { account: 'bare.*' }])
      expect(await list({ ...many, ...more, sort: 'amount' })).toMatchObject({ code: 422, data: [{ field: 'sort' }] });
    const { data } = await list({ ...many, sort: 'createdAt', page: 50_001, size: 1 });
    expect(data).toMatchObject({
      total: 50_001,
      list: [{ no: 'many-50001' }],
      summary: [{ count: 50_001, amount: '50001' }],
    });
    await server.query(sql`delete from withdraw where no = 'many-1'`);
    expect(await list({ ...many, sort: 'amount', size: 1 })).toMatchObject({
      code: 200,
      data: { total: 50_000, list: [{ no: 'many-2' }] },
    });
    await server.query(sql`delete from withdraw where address = 'all'`);
  });
});

describe('pages', () => {
  test('have ten rows by default', async () => {
    const { data } = await list({});
    expect(data.list).toHaveLength(10);
    expect((await list({ page: 2 })).data.list[0]?.id).toBe((await list({ size: 11 })).data.list[10]?.id);
  });

  test('past the end are empty, with the same total and sums', async () => {
    const { data } = await list({});
    for (const page of [61, 10_000_000]) {
      expect(await list({ page })).toMatchObject({ code: 200, data: { list: [], total: ROWS, summary: data.summary } });
    }
    expect((await list({ page: 60 })).data.list).toHaveLength(10);
    expect((await list({ page: 10_000_000, size: 200 })).data.list).toEqual([]);
  });
});
