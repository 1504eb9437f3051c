import type { AgentRow } from '@hengtai/contract/agent.schema';
import { MS_MAX, type Page } from '@hengtai/contract/list';
import type { UserRow } from '@hengtai/contract/user.schema';
import type { WithdrawRow, WithdrawSum } from '@hengtai/contract/withdraw.schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestOperator, makeOperator, makeUser } from '../../test/factories.ts';
import { type Answered, type TestServer, call, login, testServer } from '../../test/server.ts';

type Withdraws = Page<WithdrawRow, WithdrawSum>;

let server: TestServer;
let admin: string;
/** A chain top > middle > low, and a tree beside it; `bare` has agents and users, but no withdrawal; `dry` has nothing. */
let agents: Record<'top' | 'middle' | 'low' | 'beside' | 'bare' | 'dry', TestOperator>;
let random: () => number;

const T0 = 1_700_000_000_000;
const ROWS = 600;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
  random = seeded(20_260_101);
  const top = await makeOperator(server, admin, { account: 'List.Top' });
  const middle = await makeOperator(server, admin, { account: 'List.Middle', parent: top.account });
  const low = await makeOperator(server, admin, { account: 'List.Low', parent: middle.account });
  const beside = await makeOperator(server, admin, { account: 'List.Beside' });
  const bare = await makeOperator(server, admin, { account: 'List.Bare' });
  const dry = await makeOperator(server, admin, { account: 'List.Dry' });
  agents = { top, middle, low, beside, bare, dry };
  const users = ['Top_user', 'Top-user', 'TopXuser', 'middle.user', 'low.user', 'beside.user', 'low.dormant'];
  const owners = [top, top, top, middle, low, beside, low];
  for (const [index, account] of users.entries())
    await makeUser(server, { account, agent: owners[index]?.account ?? '' });
  await makeUser(server, { account: 'bare.user', agent: bare.account });
  await insertWithdraws();
});
afterAll(() => server.stop());

/** A stream of numbers from 0 to 1 that is the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
const upTo = (n: number): number => Math.floor(random() * n);

/** Random amounts of up to 18 places, in three coins, all states, with times that repeat. */
async function insertWithdraws(): Promise<void> {
  const users = await server.query(sql<{ id: number; agent: number }>`
    select id, agent_id as agent from users where account not in ('bare.user', 'low.dormant') order by id`);
  const rows = Array.from({ length: ROWS }, (_, index) => {
    const user = users[upTo(users.length)];
    const amount = `${upTo(1_000_000)}.${String(upTo(1_000_000_000)).padStart(18, '7')}`;
    const risk = ['{}', '{first_address}', '{shared_address,first_address}'][upTo(3)];
    const valuation = upTo(4) === 0 ? null : `${upTo(1_000)}.5`;
    return sql`(${`no-${index}`}, ${user?.id}, ${user?.agent}, ${1 + upTo(3)}, 'TRC20', ${`addr%_${upTo(5)}`}, ${amount}::numeric + 1,
      '0.000000000000000001'::numeric, ${upTo(10)}, ${valuation}::numeric, ${risk}::text[], ${T0 + upTo(50)}, ${T0}, ${T0})`;
  });
  await server.query(sql`insert into withdraw (no, user_id, agent_id, market_id, network, address, amount, fee, state, valuation,
    risk, created_at, recorded_at, updated_at) values ${sql.join(rows)}`);
}

const list = <T = Withdraws>(input: object, token = admin, path = 'withdraw/list'): Promise<Answered<T>> =>
  call<T>(server, 'GET', path, input, { token });

/** What plain SQL says to the same question: the ids in order, the total and the sums. */
async function bySql(where: ReturnType<typeof sql>) {
  const ids = await server.query(sql<{ id: number }>`
    select w.id from withdraw w join users u on u.id = w.user_id where ${where} order by w.id desc`);
  const sums = await server.query(sql<WithdrawSum>`
    select m.id as "marketId", m.market_name as "marketName", count(*) as count, sum(w.amount) as amount, sum(w.fee) as fee,
      sum(w.amount - w.fee) as received
    from withdraw w join users u on u.id = w.user_id join market m on m.id = w.market_id where ${where}
    group by m.id, m.market_name, m.sort order by m.sort, m.id`);
  return { ids: ids.map(({ id }) => id), sums };
}

async function agrees(input: object, where: ReturnType<typeof sql>, token = admin): Promise<number> {
  const expected = await bySql(where);
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

describe('pages, totals and sums are those of plain SQL', () => {
  test('without a filter', async () => {
    expect(await agrees({}, sql`true`)).toBe(ROWS);
    expect(
      await agrees({ account: '', state: -1, agent: '', agentRoot: '', risk: '', from: '', sort: '' }, sql`true`),
    ).toBe(ROWS);
  });

  test('by each filter', async () => {
    for (let state = 0; state < 10; state += 1) await agrees({ state }, sql`w.state = ${state}`);
    for (const marketId of [1, 2, 3, 4]) await agrees({ marketId }, sql`w.market_id = ${marketId}`);
    await agrees({ no: 'no-17' }, sql`w.no = 'no-17'`);
    await agrees({ address: 'addr%_1' }, sql`w.address = 'addr%_1'`);
    expect(await agrees({ address: 'addr__1' }, sql`false`)).toBe(0);
    expect(await agrees({ txHash: '0x1' }, sql`false`)).toBe(0);
    for (const risk of ['first_address', 'shared_address', 'over_limit'])
      await agrees({ risk }, sql`${risk} = any(w.risk)`);
    const [user] = await server.query(sql<{ id: number }>`select id from users where account = 'low.user'`);
    expect(await agrees({ userId: user?.id }, sql`w.user_id = ${user?.id}`)).toBeGreaterThan(0);
    const [row] = await server.query(sql<{ id: number }>`select min(id) as id from withdraw`);
    expect(await agrees({ id: row?.id }, sql`w.id = ${row?.id}`)).toBe(1);
  });

  test('by random filters together', async () => {
    for (let round = 0; round < 40; round += 1) {
      const [state, marketId, from] = [upTo(10), 1 + upTo(3), T0 + upTo(40)];
      const to = from + upTo(20);
      const picks = { state: upTo(2) === 0, marketId: upTo(2) === 0, times: upTo(2) === 0, low: upTo(3) === 0 };
      const input = {
        ...(picks.state && { state }),
        ...(picks.marketId && { marketId }),
        ...(picks.times && { from, to }),
        ...(picks.low && { agentRoot: 'list.middle' }),
      };
      const where = sql`(${!picks.state} or w.state = ${state}) and (${!picks.marketId} or w.market_id = ${marketId})
        and (${!picks.times} or w.created_at between ${from} and ${to}) and (${!picks.low} or ${under('middle', 'low')})`;
      await agrees(input, where);
    }
  });

  test('sums are exact to the last place', async () => {
    const scaled = (text: string): bigint => {
      const [whole = '', places = ''] = text.split('.');
      return BigInt(whole + places.padEnd(18, '0'));
    };
    const rows = await Promise.all([1, 2, 3].map((page) => list({ page, size: 200 })));
    const received = rows.flatMap(({ data }) => data.list).reduce((sum, row) => sum + scaled(row.received), 0n);
    expect(rows[0]?.data.summary?.reduce((sum, coin) => sum + scaled(coin.received), 0n)).toBe(received);
  });

  test('from and to are inclusive', async () => {
    expect(await agrees({ from: T0 + 7, to: T0 + 7 }, sql`w.created_at = ${T0 + 7}`)).toBeGreaterThan(0);
    await agrees({ from: T0 + 7 }, sql`w.created_at >= ${T0 + 7}`);
    await agrees({ to: T0 + 7 }, sql`w.created_at <= ${T0 + 7}`);
    expect(await agrees({ from: T0 + 8, to: T0 + 7 }, sql`false`)).toBe(0);
    expect(await agrees({ from: 0, to: MS_MAX }, sql`true`)).toBe(ROWS);
  });
});

describe('accounts', () => {
  test('are found exactly, without regard to case, and by their beginning when they end in *', async () => {
    await agrees({ account: 'TOP_USER' }, sql`u.account = 'Top_user'`);
    expect(await agrees({ account: 'top' }, sql`false`)).toBe(0);
    expect(await agrees({ account: 'top*' }, sql`u.account in ('Top_user', 'Top-user', 'TopXuser')`)).toBeGreaterThan(
      0,
    );
    await agrees({ account: '*' }, sql`true`);
  });

  test('by their beginning together with whatever else is asked for', async () => {
    const top = sql`u.account in ('Top_user', 'Top-user', 'TopXuser')`;
    // Every user of this agent begins so, not every one below it does.
    expect(await agrees({ account: 'top*', agent: 'list.top' }, top)).toBeGreaterThan(0);
    expect(await agrees({ account: 'top*', agentRoot: 'list.top' }, top)).toBeGreaterThan(0);
    expect(await agrees({ account: 'top*', agentRoot: 'list.middle' }, sql`false`)).toBe(0);
    expect(await agrees({ account: 'top*', agent: 'no-such-agent' }, sql`false`)).toBe(0);
    expect(await agrees({ account: '*', agentRoot: 'list.middle' }, under('middle', 'low'))).toBeGreaterThan(0);
    await agrees({ account: 'top-*', state: 3 }, sql`u.account = 'Top-user' and w.state = 3`);
    await agrees({ account: 'top*', from: T0 + 7, to: T0 + 30 }, sql`${top} and w.created_at between ${T0 + 7} and ${T0 + 30}`);
    expect(await agrees({ account: 'top*', risk: 'first_address' }, sql`${top} and 'first_address' = any(w.risk)`)).toBeGreaterThan(0);
    await agrees({ account: '*', risk: 'first_address', agentRoot: 'list.middle' }, sql`${under('middle', 'low')} and 'first_address' = any(w.risk)`);
    await agrees({ account: 'l*', address: 'addr%_1', marketId: 2 }, sql`u.account = 'low.user' and w.address = 'addr%_1' and w.market_id = 2`);
    const [low] = await server.query(sql<{ id: number }>`select id from users where account = 'low.user'`);
    expect(await agrees({ account: 'low*', userId: low?.id }, sql`u.account = 'low.user'`)).toBeGreaterThan(0);
    expect(await agrees({ account: 'top*', userId: low?.id }, sql`false`)).toBe(0);
    // Of an operator's own tree nobody begins otherwise, elsewhere many do.
    expect(await agrees({ account: 'low.*' }, under('low'), agents.low.token)).toBeGreaterThan(0);
    expect(await agrees({ account: 'low.*' }, under('low'), agents.middle.token)).toBeGreaterThan(0);
    expect(await agrees({ account: 'top*' }, sql`false`, agents.middle.token)).toBe(0);
    const users = await list<Page<UserRow>>({ account: 'low.*', sort: 'id' }, agents.low.token, 'user/list');
    expect(users.data).toMatchObject({ total: 2, list: [{ account: 'low.user' }, { account: 'low.dormant' }] });
    const named = await list<Page<UserRow>>({ account: 'low.d*' }, agents.low.token, 'user/list');
    expect(named.data).toMatchObject({ total: 1, list: [{ account: 'low.dormant' }] });
  }); // prettier-ignore

  test('are no patterns: what LIKE would take for a wildcard stands for itself', async () => {
    await agrees({ account: 'top_*' }, sql`u.account = 'Top_user'`);
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
      expect([account, await agrees({ account }, sql`false`)]).toEqual([account, 0]);
    }
  });

  test('of agents: the direct agent, or all below', async () => {
    const nobody = ['no-such-agent', 'list', 'list*', 'top_user', '%'];
    for (const account of nobody) {
      expect(await agrees({ agent: account }, sql`false`)).toBe(0);
      expect(await agrees({ agentRoot: account }, sql`false`)).toBe(0);
    }
    expect(await agrees({ agent: 'LIST.TOP' }, under('top'))).toBeGreaterThan(0);
    expect(await agrees({ agentRoot: 'LIST.TOP' }, under('top', 'middle', 'low'))).toBeGreaterThan(0);
    expect(await agrees({ agentRoot: 'list.low', agent: 'list.low' }, under('low'))).toBeGreaterThan(0);
    expect(await agrees({ agentRoot: 'list.low', agent: 'list.top' }, sql`false`)).toBe(0);
    expect(await agrees({ agentRoot: 'admin' }, sql`true`)).toBe(ROWS);
    expect(await agrees({ agent: 'admin' }, sql`false`)).toBe(0);
  });

  test('inside an operator’s own tree only', async () => {
    const { token } = agents.middle;
    await agrees({}, under('middle', 'low'), token);
    await agrees({ agentRoot: 'list.middle' }, under('middle', 'low'), token);
    for (const account of ['list.top', 'list.beside', 'admin']) {
      expect(await agrees({ agentRoot: account }, sql`false`, token)).toBe(0);
      expect(await agrees({ agent: account }, sql`false`, token)).toBe(0);
    }
  });
});

describe('empty and dormant subtrees', () => {
  test('a tree with agents and users but no row, and one with nothing at all', async () => {
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

  test('a user that never asked for anything', async () => {
    expect((await list({ account: 'low.dormant' })).data).toEqual({ list: [], total: 0, summary: [] });
    const users = await list<Page<UserRow>>({ account: 'low.dormant' }, agents.low.token, 'user/list');
    expect(users.data.list).toMatchObject([
      { account: 'low.dormant', agent: 'List.Low', agentRoot: 'List.Low', valuation: '0' },
    ]);
  });
});

describe('order', () => {
  const ids = async (input: object): Promise<number[]> =>
    (await list({ size: 200, ...input })).data.list.map(({ id }) => id);
  const sorted = async (order: ReturnType<typeof sql>): Promise<number[]> =>
    (await server.query(sql<{ id: number }>`select id from withdraw order by ${order} limit 200`)).map(({ id }) => id);

  test('newest id first, or as asked, with the id as the last word', async () => {
    expect(await ids({})).toEqual(await sorted(sql`id desc`));
    expect(await ids({ sort: 'id' })).toEqual(await sorted(sql`id`));
    expect(await ids({ sort: '-id' })).toEqual(await sorted(sql`id desc`));
    expect(await ids({ sort: 'createdAt' })).toEqual(await sorted(sql`created_at, id`));
    expect(await ids({ sort: '-createdAt' })).toEqual(await sorted(sql`created_at desc, id desc`));
    expect(await ids({ sort: 'amount' })).toEqual(await sorted(sql`amount, id`));
    expect(await ids({ sort: '-valuation' })).toEqual(await sorted(sql`valuation desc nulls last, id desc`));
    const last = (await ids({ sort: 'valuation', size: 100, page: ROWS / 100 })).toReversed();
    expect(last).toEqual((await sorted(sql`valuation desc nulls first, id desc`)).slice(0, 100));
  });

  test('by declared fields only', async () => {
    for (const sort of ['fee', 'account', 'no', 'w.id', 'id desc']) {
      expect(await list({ sort })).toMatchObject({ code: 422, data: [{ field: 'sort' }] });
    }
    expect(await list({ sort: 'amount' }, admin, 'user/list')).toMatchObject({ code: 422, data: [{ field: 'sort' }] });
  });

  test('by another field than id and createdAt only up to 50,000 rows', { tags: ['full'] }, async () => {
    const [user] = await server.query(sql<{ id: number; agent: number }>`
      select id, agent_id as agent from users where account = 'bare.user'`);
    await server.query(sql`insert into withdraw (no, user_id, agent_id, market_id, network, address, amount, fee, state, created_at,
        recorded_at, updated_at)
      select 'many-' || n, ${user?.id}, ${user?.agent}, 1, 'TRC20', 'many', 1, 0, 0, ${T0}, ${T0}, ${T0}
      from generate_series(1, 50001) n`);
    const many = { account: 'bare.user' };
    for (const more of [{}, { from: T0 }, { address: 'many' }, { account: 'bare.*' }])
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
    await server.query(sql`delete from withdraw where address = 'many'`);
  });
});

describe('pages', () => {
  test('ten rows of the first page unless asked otherwise', async () => {
    const { data } = await list({});
    expect(data.list).toHaveLength(10);
    expect((await list({ page: 2 })).data.list[0]?.id).toBe((await list({ size: 11 })).data.list[10]?.id);
  });

  test('past the end: empty, 200, total and sums as ever', async () => {
    const { data } = await list({});
    for (const page of [61, 10_000_000]) {
      expect(await list({ page })).toMatchObject({ code: 200, data: { list: [], total: ROWS, summary: data.summary } });
    }
    expect((await list({ page: 60 })).data.list).toHaveLength(10);
    expect((await list({ page: 10_000_000, size: 200 })).data.list).toEqual([]);
  });
});
