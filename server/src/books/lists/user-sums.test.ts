// @module-tag full
import type { IeoDetail } from '@hengtai/contract/trading/ieo/schema';
import type { UserDetail } from '@hengtai/contract/people/user/schema';
import type { WithdrawDetail } from '@hengtai/contract/funds/withdraw/schema';
import { type RawBuilder, sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestOperator, findUser, makeOperator, makeUser } from '../../../test/factories.ts';
import { call, login, provideServer } from '../../../test/server.ts';
import { sized } from '../../../../testing/level.ts';
import { checkCounters, compactCounters, rebuildCounters } from './counters.ts';

/** A limit under which some users and addresses have totals, and others have too few rows. */
const TOTAL_ROWS = 12;
const T0 = 1_700_000_000_000;
const ROUNDS = sized({ full: 6, long: 40 });

const server = provideServer({ jobs: false });
let admin: string;
let agents: { top: TestOperator; low: TestOperator; beside: TestOperator };
let users: number[];
let next = 0;
let state = 2_718_281;

const upTo = (n: number): number => {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((state / 2_147_483_648) * n);
};
const oneOf = <T>(values: readonly T[]): T => values[upTo(values.length)] as T;

beforeAll(async () => {
  admin = await login(server);
  const abilities = [1, 2, 3, 4, 5, 6, 7, 8];
  const top = await makeOperator(server, admin, { account: 'Sum.Top', abilities });
  const low = await makeOperator(server, admin, { account: 'Sum.Low', parent: top.account, abilities });
  const beside = await makeOperator(server, admin, { account: 'Sum.Beside', abilities });
  agents = { top, low, beside };
  users = [];
  for (const agent of [top, low, low, beside, beside, top]) {
    const account = await makeUser(server, { agent: agent.account, amount: '1000' });
    users.push((await findUser(server, admin, account)).id);
  }
  await server.query(
    sql`update counter_limit set total_rows = ${TOTAL_ROWS}, large_rows = ${TOTAL_ROWS * 2}, block_rows = ${TOTAL_ROWS * 3}`,
  );
  await rebuildCounters(server.owner);
  for (const userId of users.slice(0, 4)) await insertWithdrawals(45, userId);
});

/** Most rows belong to the first two users. */
const someUser = (): number => users[Math.min(upTo(6), upTo(6))] ?? 0;

/** A user that cannot be moved until the transaction ends, as events lock it. */
const lockedUser = (userId: number): RawBuilder<unknown> =>
  sql`select id, agent_id from users where id = ${userId} for share`;

async function insertWithdrawals(count: number, userId = someUser()): Promise<void> {
  const rows = Array.from({ length: count }, () => {
    next += 1;
    const address = upTo(3) === 0 ? 'everybody' : `${oneOf(['a', 'b'])}-${upTo(3) === 0 ? upTo(30) : userId}`;
    // The times are not in the order of the ids, and each is different, so that the order of the addresses is defined.
    const at = T0 + upTo(1_000_000) * 1_000 + (next % 1_000);
    return sql`(${`w-${next}`}, ${1 + upTo(3)}::bigint, ${oneOf(['N1', 'N2'])}, ${address}, ${`${1 + upTo(90)}.5`}::numeric, ${upTo(10)}::int, ${at}::bigint)`;
  });
  await server.query(sql`insert into withdraw (no, user_id, agent_id, market_id, network, address, amount, fee, state, valuation, created_at, recorded_at, updated_at,
      account_key, memo_key, beneficiary, account_rules)
    with u as (${lockedUser(userId)})
    select v.no, u.id, u.agent_id, v.market_id, v.network, v.address, v.amount, 0.5, v.state, 1, v.at, v.at, v.at, v.address, '',
      'to ' || v.address, 1
    from u cross join (values ${sql.join(rows)}) v(no, market_id, network, address, amount, state, at)`);
}

async function insertOthers(count: number, userId = someUser()): Promise<void> {
  const numbers = Array.from({ length: count }, () => (next += 1));
  const from = sql`unnest(${numbers}::bigint[]) n cross join (${lockedUser(userId)}) u`;
  const coin = sql`1 + n % 3`;
  await server.query(sql`insert into recharge (no, user_id, agent_id, market_id, network, address, amount, source, state, created_at, recorded_at, updated_at)
    select 'r-' || n, u.id, u.agent_id, ${coin}, 'N', 'A', n, 1, n % 5, ${T0}, ${T0}, ${T0} from ${from}`);
  await server.query(sql`insert into ieo (no, user_id, agent_id, market_id, price, amount, pay, state, created_at, recorded_at, updated_at)
    select 'i-' || n, u.id, u.agent_id, ${coin}, 2, n, 2 * n, n % 4, ${T0}, ${T0}, ${T0} from ${from}`);
}

const someRows = (table: string, count: number): RawBuilder<unknown> =>
  sql`id in (select id from ${sql.table(table)} order by md5(id::text || ${String(next)}) limit ${count})`;

const changes: readonly (() => Promise<unknown>)[] = [
  () => insertWithdrawals(1 + upTo(15)),
  () => insertWithdrawals(1 + upTo(15)),
  () => insertOthers(1 + upTo(15)),
  () => server.query(sql`update withdraw set state = ${upTo(10)} where ${someRows('withdraw', 20)}`),
  () => server.query(sql`update recharge set state = ${upTo(5)} where ${someRows('recharge', 20)}`),
  () => server.query(sql`update ieo set state = ${upTo(4)} where ${someRows('ieo', 20)}`),
  () => server.query(sql`delete from withdraw where ${someRows('withdraw', 1 + upTo(4))}`),
  () => server.query(sql`delete from withdraw where id in (select max(id) from withdraw group by address limit 2)`),
  () => server.query(sql`with t as (select ${`b-${upTo(30)}`}::text as address)
    update withdraw set address = t.address, beneficiary = 'to ' || t.address from t where ${someRows('withdraw', 3)}`),
  () =>
    upTo(2) === 0
      ? server.query(sql`update withdraw set beneficiary = null, account_rules = null where ${someRows('withdraw', 2)}`)
      : server.query(sql`update withdraw set beneficiary = 'to ' || address, account_rules = 1 where account_rules is null`),
  () => server.query(sql`update withdraw set amount = amount + 7, created_at = created_at - 5 where ${someRows('withdraw', 3)}`),
  () =>
    call(server, 'POST', 'user/agent/change', { userId: someUser(), agent: oneOf(Object.values(agents)).account, reason: '换代理' }, { token: admin }),
  () => compactCounters(server.app),
  () => compactCounters(server.app),
]; // prettier-ignore

/** The sections as plain statements without counters. `tree` is the agent whose tree the operator sees. */
async function plainSections(userId: number, tree: number) {
  const inTree = sql`select descendant from closure where ancestor = ${tree}`;
  const addresses = await server.query(sql<WithdrawDetail['addresses'][number]>`
    select w.address, '' as memo, w.network, m.market_name as "marketName", count(*) as times, sum(w.amount) as total,
      min(w.created_at) as "firstAt", max(w.created_at) as "lastAt",
      (select count(distinct o.user_id) from withdraw o where o.beneficiary = w.beneficiary and o.agent_id in (${inTree})) as users,
      w.beneficiary is not distinct from (select o.beneficiary from withdraw o where o.user_id = ${userId} order by o.id desc limit 1) as current
    from withdraw w join market m on m.id = w.market_id where w.user_id = ${userId} and w.beneficiary is not null
    group by w.beneficiary, w.address, w.network, m.market_name order by max(w.created_at) desc limit 10`);
  const deposits = await server.query(sql<WithdrawDetail['deposits'][number]>`
    select m.id as "marketId", m.market_name as "marketName", coalesce(sum(x.i), 0) as recharge, coalesce(sum(x.o), 0) as withdraw,
      coalesce(sum(x.i), 0) - coalesce(sum(x.o), 0) as net
    from (
      select market_id, amount as i, 0 as o from recharge where user_id = ${userId} and state = 1
      union all select market_id, 0, amount from withdraw where user_id = ${userId} and state = 4
    ) x join market m on m.id = x.market_id group by m.id order by m.sort, m.id`);
  const [counts] = await server.query(sql<Pick<UserDetail['totals'], 'rechargeCount' | 'withdrawCount'>>`
    select (select count(*) from recharge where user_id = ${userId} and state = 1) as "rechargeCount",
      (select count(*) from withdraw where user_id = ${userId} and state = 4) as "withdrawCount"`);
  return { addresses, deposits, counts };
}

const get = async <T>(path: string, id: number, token: string): Promise<T> => {
  const { code, data } = await call<T>(server, 'GET', path, { id }, { token });
  expect([path, id, code]).toEqual([path, id, 200]);
  return data;
};

/** Compares each section of the details of every user, as each operator, with plain statements. */
async function expectPlainSections(): Promise<void> {
  const viewers = [{ token: admin, id: 1 }, ...Object.values(agents).map(({ token, id }) => ({ token, id }))];
  for (const { token, id: tree } of viewers) {
    for (const userId of users) {
      const [owner] = await server.query(sql<{ visible: boolean; withdrawal: number | null; ieo: number | null; agentId: number }>`
        select u.agent_id in (select descendant from closure where ancestor = ${tree}) as visible, u.agent_id as "agentId",
          (select max(id) from withdraw where user_id = u.id) as withdrawal, (select max(id) from ieo where user_id = u.id) as ieo
        from users u where u.id = ${userId}`); // prettier-ignore
      if (!owner?.visible) continue;
      const { addresses, deposits, counts } = await plainSections(userId, tree);
      const user = await get<UserDetail>('user/detail', userId, token);
      expect([tree, userId, user.deposits, user.totals]).toEqual([
        tree,
        userId,
        deposits,
        { ...user.totals, ...counts },
      ]);
      if (owner.withdrawal !== null) {
        const detail = await get<WithdrawDetail>('withdraw/detail', owner.withdrawal, token);
        expect([tree, userId, detail.addresses, detail.deposits]).toEqual([tree, userId, addresses, deposits]);
      }
      if (owner.ieo !== null) {
        const totals = await server.query(sql<IeoDetail['totals'][number]>`
          select state, count(*) as count, sum(amount) as amount, sum(pay) as pay from ieo
          where user_id = ${userId} and market_id = (select market_id from ieo where id = ${owner.ieo}) group by state order by state`);
        expect((await get<IeoDetail>('ieo/order/detail', owner.ieo, token)).totals).toEqual(totals);
      }
    }
  }
}

describe('sections of a detail', () => {
  test('equal the rows after random changes, moves, removals and compactions', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (let change = 0; change < 6; change += 1) await oneOf(changes)();
      await expectPlainSections();
      expect(await checkCounters(server.owner)).toEqual([]);
    }
    await compactCounters(server.app);
    await expectPlainSections();
    const scopes = await server.query(sql<{ users: number; addresses: number; totals: number }>`
      select count(user_key) as users, count(beneficiary) as addresses, (select count(*) from counter_address) as totals
      from counter_address_scope`);
    for (const count of Object.values(scopes[0] ?? {})) expect(count).toBeGreaterThan(1);
  });

  test('stay exact under concurrent changes and compactions', async () => {
    for (let round = 0; round < ROUNDS / 4; round += 1)
      await Promise.all(Array.from({ length: 10 }, () => oneOf(changes)().catch(ignoreConflict)));
    expect(await checkCounters(server.owner)).toEqual([]);
    await expectPlainSections();
  });

  test('count the users of an agent', async () => {
    const detail = await get<{ ownUsers: number }>('agent/detail', agents.top.id, admin);
    const [plain] = await server.query(
      sql<{
        n: number;
      }>`select count(*) as n from users u join agent a on a.id = u.agent_id where a.shown = ${agents.top.account}`,
    );
    expect(detail.ownUsers).toBe(plain?.n);
  });
});

/** Statements of the test itself lock rows in any order. */
function ignoreConflict(error: unknown): void {
  if (!/deadlock detected/.test(String(error))) throw error;
}

describe('the totals of addresses', () => {
  test('are checked against the rows, and a rebuild repairs them', async () => {
    await compactCounters(server.app);
    const changed = sql`(select user_key, beneficiary, network, market_id from counter_address order by n desc limit 1)`;
    for (const change of ['n = n + 1', 'amount = amount + 1', 'hi = hi + 1', 'lo = lo - 1', 'agent_key = 1']) {
      await server.query(
        sql`update counter_address set ${sql.raw(change)} where (user_key, beneficiary, network, market_id) in ${changed}`,
      );
      const differences = await checkCounters(server.owner);
      expect([change, differences.map(({ table, place }) => [table, place.split(' ')[0]])]).toEqual([
        change,
        [['withdraw', 'user']],
      ]);
      await rebuildCounters(server.owner);
    }
    await server.query(sql`delete from counter_address where user_key = ${users[0] ?? 0}`);
    expect((await checkCounters(server.owner)).length).toBeGreaterThan(0);
    await rebuildCounters(server.owner);
    expect(await checkCounters(server.owner)).toEqual([]);
    await expectPlainSections();
  });
});
