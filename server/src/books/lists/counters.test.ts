// @module-tag full
// @module-tag soak
import type { WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { type RawBuilder, sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestOperator, findUser, makeOperator, makeUser, makeWithdraw } from '../../../test/factories.ts';
import { call, login, provideServer } from '../../../test/server.ts';
import { softDeleteAgent } from '../../domains/people/agent/agent-tree.store.ts';
import { NO_FACTORS, type Ctx } from '../../app/context.ts';
import { listLedgerEntries } from '../../domains/funds/ledger-entry/ledger-entry.store.ts';
import { listRecharges } from '../../domains/funds/recharge/recharge.store.ts';
import { listUsers } from '../../domains/people/user/user.store.ts';
import { listWithdraws } from '../../domains/funds/withdraw/withdraw.store.ts';
import { type Db, type Scope, runInScope } from '../../database/connect.ts';
import { checkCounters, compactCounters, rebuildCounters } from './counters.ts';
import type { ListReader } from './list.ts';
import { lockTree } from '../../database/tree.ts';
import { sized } from '../../../../testing/level.ts';

/** Limits under which a few hundred rows use all levels of counters. */
const LOW = { totalRows: 40, largeRows: 60, blockRows: 90 };
const ROWS = 900;
const T0 = 1_700_000_000_000;
const ALL = { account: 'admin', id: 1 };
const WIDTH = 105;

const server = provideServer({ jobs: false });
let admin: string;
let agents: Record<'top' | 'middle' | 'low' | 'beside' | 'heavy' | 'dry', TestOperator>;
let users: { id: number; account: string; agentId: number }[];
let random: () => number;

beforeAll(async () => {
  admin = await login(server);
  random = seeded(7_071_067);
  // The ids have large gaps, so that a few hundred rows are in many blocks.
  for (const table of ['withdraw', 'recharge', 'entry', 'users'])
    await server.query(
      sql`alter sequence ${sql.ref(`${table}_id_seq`)} increment by ${sql.lit(table === 'users' ? 2_000 : 1_700)}`,
    );
  const top = await makeOperator(server, admin, { account: 'Count.Top', abilities: [5, 6, 7, 8] });
  const middle = await makeOperator(server, admin, { account: 'Count.Middle', parent: top.account });
  const low = await makeOperator(server, admin, { account: 'Count.Low', parent: middle.account });
  const beside = await makeOperator(server, admin, { account: 'Count.Beside' });
  const heavy = await makeOperator(server, admin, { account: 'Count.Heavy', parent: beside.account });
  const dry = await makeOperator(server, admin, { account: 'Count.Dry', parent: low.account });
  agents = { top, middle, low, beside, heavy, dry };
  // Two of the trees are so wide that their agents are tested by a bitmap.
  for (let n = 0; n < WIDTH; n += 1) await makeOperator(server, admin, { parent: middle.account });
  for (const [index, { account }] of [top, middle, low, low, beside, heavy, heavy].entries())
    await makeUser(server, { account: `${index < 4 ? 'role' : 'roll'}.${index}`, agent: account, amount: '1000000' });
  users = await server.query(
    sql<(typeof users)[number]>`select id, account, agent_id as "agentId" from users order by id`,
  );
  await insertRows();
  await limitCounters(LOW);
  await expectScopesOfEachKind();
});

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
const upTo = (n: number): number => Math.floor(random() * n);
const oneOf = <T>(values: readonly T[]): T => values[upTo(values.length)] as T;

/** One to `n` of the values below `n`, as in the address; some may be repeated. */
const someOf = (n: number): string => Array.from({ length: 1 + upTo(n) }, () => upTo(n)).join(',');
const entryTypes = (): string => Array.from({ length: 1 + upTo(4) }, () => oneOf([1, 2, 7, 8, 9, 10])).join(',');
/** A range of amounts; one side may be open. */
const amounts = (): object => {
  const from = upTo(1_000_000);
  const to = `${from + upTo(500_000)}.${upTo(1000)}`;
  return oneOf([{ amountFrom: `${from}` }, { amountTo: to }, { amountFrom: `${from}.000`, amountTo: to }]);
};

/**
 * Withdrawals of all states and three coins, most of them of the last user, and recharges; times grow with the ids, roughly,
 * and some have the same, as have their values.
 */
async function insertRows(): Promise<void> {
  const rows = (make: (index: number, user: (typeof users)[number]) => RawBuilder<unknown>) =>
    sql.join(
      Array.from({ length: ROWS }, (_, index) => {
        const user = upTo(3) === 0 ? oneOf(users) : users.at(-1);
        return make(index, user ?? { id: 0, account: '', agentId: 0 });
      }),
    );
  const amount = () => `${1 + upTo(1_000_000)}.${String(upTo(1_000_000_000)).padStart(18, '7')}`;
  // A tenth was imported late: its times are those of the first rows.
  const at = (index: number) => T0 + (index > 500 && index < 590 ? index - 500 : index) * 1_000 - 4_000 * upTo(5);
  await server.query(sql`insert into withdraw (no, user_id, agent_id, market_id, network, address, amount, fee, state, valuation, risk, created_at,
    recorded_at, updated_at) values ${rows(
      (index, { id, agentId }) =>
        sql`(${`pw-${index}`}, ${id}, ${agentId}, ${1 + upTo(3)}, 'TRC20', ${`T${upTo(4)}`}, ${amount()}::numeric, 1, ${upTo(10)},
          ${oneOf([null, 5, 5, upTo(100)])}::numeric, ${oneOf(['{}', '{}', '{first_address}', '{over_limit,first_address}'])}::text[], ${at(index)}, ${T0}, ${T0})`,
    )}`);
  await server.query(sql`insert into recharge (no, user_id, agent_id, market_id, network, address, amount, source, state, created_at,
    recorded_at, updated_at) values ${rows(
      (index, { id, agentId }) =>
        sql`(${`pr-${index}`}, ${id}, ${agentId}, ${1 + upTo(3)}, 'TRC20', 'T', ${amount()}::numeric, ${1 + upTo(2)}, ${upTo(5)}, ${at(index)}, ${T0}, ${T0})`,
    )}`);
}

/** Runs `work` like a request of the operator, in one snapshot. */
async function asOperator<T>(
  who: { id: number; account: string },
  work: (ctx: Ctx) => Promise<T>,
  pool: Db = server.app.requests,
): Promise<T> {
  const ids = await server.query(sql<{ id: number }>`select descendant as id from closure where ancestor = ${who.id}`);
  const scope: Scope = who.id === 1 ? { kind: 'all' } : { kind: 'agents', ids: ids.map(({ id }) => id) };
  const operator = { ...who, top: who.id === 1, abilities: [] };
  return runInScope(
    pool,
    scope,
    who.id,
    (db) =>
      work({
        db,
        scope,
        operator,
        sessionId: null,
        factors: NO_FACTORS,
        requestId: '',
        ip: '',
        userAgent: '',
        now: server.clock.now(),
      }),
    'read',
  );
}

type AnyReader = ListReader<object, { list: unknown[]; total: number; summary?: unknown[] }>;
const lists: Readonly<Record<string, { reader: AnyReader; filters: () => object; sorts?: string[] }>> = {
  withdraw: { reader: listWithdraws, sorts: ['amount', 'valuation', 'reviewedAt'], filters: () => oneOf([{}, { state: upTo(11) }, { states: someOf(10) }, { states: someOf(10), marketId: 1 + upTo(3) }, { states: someOf(10), state: upTo(10) }, { states: someOf(10), risk: 'first_address' }, amounts(), { ...amounts(), states: someOf(10) }, { marketId: 1 + upTo(4) }, { state: upTo(10), marketId: 1 + upTo(3) }, { risk: 'first_address' }, { risk: 'over_limit', state: upTo(4) }, { address: `T${upTo(5)}`, state: upTo(10) }]) },
  recharge: { reader: listRecharges, sorts: ['amount'], filters: () => oneOf([{}, { state: upTo(6) }, { states: someOf(5) }, { states: someOf(5), source: 1 + upTo(2) }, amounts(), { source: 1 + upTo(2) }, { marketId: 1 + upTo(4), state: upTo(5) }]) },
  entry: { reader: listLedgerEntries, filters: () => oneOf([{}, { type: 1 + upTo(8) }, { state: upTo(3) }, { states: someOf(3) }, { states: someOf(3), type: 1 + upTo(8) }, { amountFrom: `-${upTo(300)}`, amountTo: `${upTo(300)}.5` }, { amountTo: '-1', states: someOf(3) }, { bucket: oneOf(['active', 'frozen']) }, { platform: 1 + upTo(4) }, { types: entryTypes() }, { types: entryTypes(), type: 1 + upTo(8) }, { types: entryTypes(), states: someOf(3), bucket: 'frozen' }, { operator: oneOf(['admin', 'Count.Top']), types: entryTypes() }]) },
  users: { reader: listUsers, filters: () => oneOf([{}, { state: upTo(2) }, { states: someOf(2) }, { states: someOf(2), auth: upTo(5) }, { auth: upTo(5) }]) },
}; // prettier-ignore

function randomScope(noun: string): object {
  const accounts = [...Object.values(agents).map(({ account }) => account), 'admin', 'nobody'];
  const user = oneOf(users);
  const mine =
    noun === 'users'
      ? {}
      : oneOf([
          { account: user.account.toUpperCase() },
          { account: `${user.account.slice(0, 1 + upTo(7))}*` },
          { userId: user.id },
          { account: 'count.6' },
        ]);
  return oneOf([
    {},
    {},
    {},
    { agent: oneOf(accounts) },
    { agentRoot: oneOf(accounts) },
    { agent: oneOf(accounts), agentRoot: oneOf(accounts) },
    mine,
    { ...mine, agentRoot: oneOf(accounts) },
  ]);
}

function randomTime(): object {
  const from = T0 - 30_000 + upTo((ROWS + 60) * 1_000);
  return oneOf([{}, {}, { from }, { to: from }, { from, to: from + upTo(ROWS * 600) }, { from: from + 1, to: from }]);
}

/** The share of the random questions. */
const SHARE = sized({ full: 0.4, long: 1 });

/** Checks random pages, totals and sums against those of plain statements over all rows. */
async function sameAsRows(
  times: number,
  always: () => object = () => ({}),
  askers: readonly { id: number; account: string }[] = [ALL, ALL, ...Object.values(agents)],
  nouns = Object.keys(lists),
): Promise<void> {
  const asking = Object.entries(lists).filter(([noun]) => nouns.includes(noun));
  for (let time = 0; time < times * SHARE; time += 1) {
    const [noun, { reader, filters, sorts = [] }] = oneOf(asking);
    const sort = oneOf(['id', 'createdAt', ...sorts]);
    const who = oneOf(askers);
    const size = oneOf([1, 7, 10, 50, 200]);
    const input = {
      ...filters(),
      ...randomScope(noun),
      ...randomTime(),
      ...oneOf([{}, { sort }, { sort: `-${sort}` }]),
      ...always(),
    };
    await asOperator(who, async (ctx) => {
      const whole = await reader.readAll(ctx, input);
      const rows: unknown[] = [];
      for await (const batch of whole.batches) rows.push(...batch);
      const page = 1 + upTo(Math.ceil(rows.length / size) + 1);
      const found = await reader(ctx, { ...input, page, size });
      expect([noun, who.account, input, found]).toEqual([
        noun,
        who.account,
        input,
        {
          list: rows.slice((page - 1) * size, page * size),
          total: rows.length,
          ...(whole.summary && { summary: sumsAs(found.summary, whole.summary) }),
        },
      ]);
    });
  }
}

/** The sums from the rows; without ins and outs if the list has none. */
function sumsAs(found: readonly unknown[] | undefined, summary: readonly unknown[]): object[] {
  const isComplete = found?.every((line) => 'in' in (line as object)) ?? true;
  return summary.map((line) => ({ ...(line as object), ...(isComplete ? {} : { in: undefined, out: undefined }) }));
}

async function limitCounters({ totalRows, largeRows, blockRows }: typeof LOW): Promise<void> {
  await server.query(
    sql`update counter_limit set total_rows = ${totalRows}, large_rows = ${largeRows}, block_rows = ${blockRows}`,
  );
  await rebuildCounters(server.owner);
}
const pending = async (): Promise<number> =>
  (await server.query(sql<{ n: number }>`select count(*) as n from counter_delta`))[0]?.n ?? 0;
/** The rows that the tests begin with need scopes of each kind, with and without counters. */
async function expectScopesOfEachKind(): Promise<void> {
  const scopes = await server.query(sql<{ kind: number; levels: number[] }>`
    select kind, array_agg(distinct level order by level)::int[] as levels from counter_scope where resource = 1
    group by kind order by kind`);
  expect(scopes.map(({ kind }) => kind)).toEqual([1, 2, 3]);
  for (const { levels } of scopes) expect(levels).toContain(3);
  expect(new Set(scopes.flatMap(({ levels }) => levels))).toEqual(new Set([0, 1, 2, 3]));
  const blocks = await server.query(sql<{ n: number }>`
    select count(distinct block) as n from counter where resource = 1 and kind = 1 and key = 1 and level = 3`);
  expect(blocks[0]?.n).toBeGreaterThan(20);
  // Blocks are counted by state alone.
  const sizes = await server.query(sql<{ level: number; dims: number }>`
    select distinct level, cardinality(dims) as dims from counter where resource = 1 order by level`);
  expect(sizes).toEqual([1, 2, 3, 4, 5].map((level) => ({ level, dims: level <= 3 ? 1 : 2 })));
  expect(await check()).toEqual([]);
}
const check = () => checkCounters(server.owner);
const compact = () => compactCounters(server.app);

describe('lists by their counters', () => {
  test('equal the rows, page by page', () => sameAsRows(350));

  test('equal the rows by time, also where rows were imported late', async () => {
    const all = { agent: undefined, agentRoot: undefined, account: undefined, userId: undefined, address: undefined };
    await sameAsRows(120, () => ({ ...all, from: undefined, to: undefined, sort: '-createdAt' }), [ALL], ['withdraw']);
  });

  test('also while deltas are pending, and after they were compacted', async () => {
    await actions();
    expect(await pending()).toBeGreaterThan(20);
    await sameAsRows(200);
    await compact();
    expect(await pending()).toBe(0);
    expect(await check()).toEqual([]);
    await sameAsRows(100);
  });

  test('of ledger entries in each reconciliation state', async () => {
    const { list } = await asOperator(ALL, (ctx) => listLedgerEntries(ctx, { state: 0, size: 200 }));
    const kinds = [['check'], ['doubt'], ['check', 'reset'], []];
    for (const [index, { id }] of list.entries())
      for (const kind of kinds[index % 4] ?? [])
        await call(server, 'POST', `fund/record/state/${kind}`, { id }, { token: admin });
    for (let time = 0; time < 2; time += 1) {
      for (const state of [0, 1, 2]) {
        expect((await asOperator(ALL, (ctx) => listLedgerEntries(ctx, { state }))).total).toBeGreaterThan(10);
        for (const who of [ALL, ...Object.values(agents)])
          await sameAsRows(12, () => ({ state, account: undefined, userId: undefined }), [who], ['entry']);
      }
      await compact();
    }
  });

  test('of ledger entries have ins and outs where rows are read: in scopes without blocks, and by other filters', async () => {
    const hasOuts = async (input: object): Promise<boolean[]> => {
      const { summary = [] } = await asOperator(ALL, (ctx) => listLedgerEntries(ctx, input));
      return [...new Set(summary.map((line) => line.out !== undefined))];
    };
    const user = { userId: users.at(-1)?.id ?? 0 };
    const found = async () =>
      Promise.all([{}, { types: '1,2' }, user, { ...user, types: '1,2' }, { operator: 'admin' }].map(hasOuts));
    await limitCounters({ totalRows: 1, largeRows: 2, blockRows: 3 });
    expect(await found()).toEqual([[false], [false], [false], [false], [true]]);
    for (const rows of [1, 1e9]) {
      await limitCounters({ totalRows: rows, largeRows: 2 * rows, blockRows: 1e9 });
      expect(await found()).toEqual([[true], [true], [true], [true], [true]]);
    }
    await limitCounters(LOW);
  });

  test('when no scope has counters', async () => {
    await limitCounters({ totalRows: 1e9, largeRows: 1e9, blockRows: 1e9 });
    expect(await server.query(sql`select 1 from counter`)).toEqual([]);
    await sameAsRows(100);
    await limitCounters(LOW);
  });
});

test('are limited to the own tree by the application alone, without row-level security', async () => {
  const named = [...Object.values(agents), ALL].flatMap(({ account }) => [{ agent: account }, { agentRoot: account }]);
  const owned = users.flatMap(({ id, account }) => [{ userId: id }, { account }, { account: `${account}*` }]);
  for (const who of Object.values(agents)) {
    for (const input of [{}, ...named, ...owned]) {
      const [bare, secured] = [server.owner, server.app.requests].map((pool) =>
        asOperator(who, (ctx) => listWithdraws(ctx, input), pool),
      );
      expect([who.account, input, await bare]).toEqual([who.account, input, await secured]);
    }
  }
});

test('corrections by hand are counted, and counted tables cannot be truncated', async () => {
  await compact();
  const [row] = await server.query(sql<{ id: number }>`select id from withdraw order by id desc limit 1`);
  const total = async (): Promise<number> => (await asOperator(ALL, (ctx) => listWithdraws(ctx, { state: 9 }))).total;
  const before = await total();
  await server.query(
    sql`update withdraw set state = 9 where id in (select id from withdraw where state <> 9 order by id limit 30)`,
  );
  expect(await total()).toBe(before + 30);
  await server.query(sql`delete from withdraw where id = ${row?.id ?? 0}`);
  await server.query(sql`update withdraw set risk = '{over_limit}', amount = amount + 1 where state = 9`);
  await sameAsRows(30, () => ({}), [ALL], ['withdraw']);
  await compact();
  expect(await check()).toEqual([]);
  await expect(server.query(sql`truncate withdraw cascade`)).rejects.toThrow('delete them instead of truncating');
});

test('in full scope the policy of counters looks for no user', async () => {
  const { rows } = await runInScope(server.app.requests, { kind: 'all' }, 1, (db) =>
    sql<{
      'QUERY PLAN': string;
    }>`explain (analyze, costs off, timing off) select count(*) from counter where kind = 3`.execute(db),
  );
  const lookups = rows.map((row) => row['QUERY PLAN']).filter((line) => / on users\b/.test(line));
  expect(lookups.length).toBeGreaterThan(0);
  for (const line of lookups) expect(line).toContain('never executed');
});

test('the server role cannot write counters', async () => {
  for (const statement of [
    'update counter set n = 0',
    'delete from counter_delta',
    'insert into counter_scope (resource, kind, key, n) values (1, 1, 1, 1)',
    'update counter_limit set total_rows = 1',
    'select rebuild_counters()',
    'select * from counted_rows',
  ]) {
    const run = runInScope(server.app.system, { kind: 'all' }, 1, (db) => sql.raw(statement).execute(db));
    await expect(run, statement).rejects.toThrow('permission denied');
  }
  // Only the owner can load rows without counting them.
  const count = async (): Promise<number> => (await asOperator(ALL, (ctx) => listWithdraws(ctx, { state: 8 }))).total;
  const before = await count();
  await runInScope(server.app.system, { kind: 'all' }, 1, async (db) => {
    await sql`select set_config('app.counters', 'paused', true)`.execute(db);
    await sql`update withdraw set state = 8 where id = (select max(id) from withdraw where state <> 8)`.execute(db);
  });
  expect(await count()).toBe(before + 1);
  expect(await check()).toEqual([]);
});

/** New rows, decisions and marks of all tables. */
async function actions(): Promise<void> {
  for (const user of users) {
    const rows: WithdrawRow[] = [];
    for (let time = 0; time < 3; time += 1)
      rows.push(await makeWithdraw(server, admin, user.account, { amount: `${10 + upTo(500)}` }));
    const [first, second] = rows;
    await call(server, 'POST', 'withdraw/reject', { id: first?.id, reason: '资料不符' }, { token: admin });
    await call(server, 'POST', 'withdraw/pass', { id: second?.id, reason: '' }, { token: admin });
  }
  for (const { account } of users.slice(0, 3)) {
    const { id } = await findUser(server, admin, account);
    await call(server, 'POST', 'user/state/disable', { id }, { token: admin });
    const records = await asOperator(ALL, (ctx) => listLedgerEntries(ctx, { account }));
    for (const record of records.list.slice(0, 2))
      await call(server, 'POST', 'fund/record/state/check', { id: record.id }, { token: admin });
    const [marked] = records.list;
    await call(server, 'POST', 'fund/record/state/doubt', { id: marked?.id }, { token: admin });
    if (account !== users[0]?.account) await call(server, 'POST', 'user/state/enable', { id }, { token: admin });
  }
}

test('stay exact under concurrent inserts, decisions, moves, deletions and compaction', async () => {
  const going = { on: true };
  const compacting = (async () => {
    while (going.on) await compact();
  })();
  const moving = users.slice(0, 4);
  const parents = [agents.beside.account, agents.top.account, agents.heavy.account, 'admin'];
  const spare = await makeOperator(server, admin, { parent: agents.dry.account });
  await makeUser(server, { agent: spare.account, amount: '50' });
  const work = [
    ...users.slice(1).map((user) => async () => {
      for (let time = 0; time < 6; time += 1) {
        const row = await makeWithdraw(server, admin, user.account, { amount: `${10 + time}` });
        const action = time % 2 ? 'reject' : 'pass';
        await call(server, 'POST', `withdraw/${action}`, { id: row.id, reason: '资料不符' }, { token: admin });
      }
    }),
    async () => {
      for (let time = 0; time < 8; time += 1) {
        const input = { userId: oneOf(moving).id, agent: oneOf(Object.values(agents)).account };
        await call(server, 'POST', 'user/agent/change', input, { token: admin });
      }
    },
    async () => {
      for (const parent of [...parents, ...parents]) {
        await call(server, 'POST', 'agent/parent/change', { id: agents.middle.id, parent }, { token: admin });
      }
      const input = { deleteId: spare.id, replaceAccount: agents.beside.account };
      await call(server, 'POST', 'agent/del', input, { token: admin });
    },
    async () => {
      for (let time = 0; time < 10; time += 1) {
        const account = await makeUser(server, { agent: agents.low.account });
        const { id } = await findUser(server, admin, account);
        await call(server, 'POST', 'user/del', { id, reason: '销户' }, { token: admin });
      }
    },
  ];
  const running = Promise.all(work.map((one) => one()));
  let checks = 0;
  // Each check has one snapshot, in which everything must agree.
  const checking = (async () => {
    while (checks < 3 || going.on) {
      expect(await check()).toEqual([]);
      checks += 1;
    }
  })();
  await running.finally(() => (going.on = false));
  await Promise.all([compacting, checking]);
  await compact();
  expect(await check()).toEqual([]);
  await sameAsRows(80);
});

test('follow a user to another agent, and a subtree to another parent', async () => {
  const [user] = users;
  const totalOf = async (agentRoot: string): Promise<number> =>
    (await asOperator(ALL, (ctx) => listWithdraws(ctx, { agentRoot }))).total;
  const account = agents.beside.account;
  await call(server, 'POST', 'user/agent/change', { userId: user?.id, agent: agents.dry.account }, { token: admin });
  const own = (await asOperator(ALL, (ctx) => listWithdraws(ctx, { userId: user?.id ?? 0 }))).total;
  expect(own).toBeGreaterThan(10);
  const before = await totalOf(account);
  const moved = await call(
    server,
    'POST',
    'agent/parent/change',
    { id: agents.dry.id, parent: account },
    { token: admin },
  );
  expect(moved.code).toBe(200);
  const there = await totalOf(agents.dry.account);
  expect(there).toBeGreaterThanOrEqual(own);
  expect(await totalOf(account)).toBe(before + there);
  expect(await check()).toEqual([]);
  await compact();
  expect(await check()).toEqual([]);
  await sameAsRows(60);
});

test('move to the successor of a deleted agent', async () => {
  const deleteAgent = (
    deleted: TestOperator,
    successor: TestOperator,
    scope: Scope = { kind: 'all' },
  ): Promise<number[]> =>
    runInScope(server.app.requests, scope, 1, async (db) => {
      await lockTree(db, 'exclusive');
      return softDeleteAgent(db, deleted.id, successor, server.clock.now());
    });
  const scopes = () =>
    server.query(
      sql<{ key: number; n: number }>`select key, n from counter_scope where resource = 1 and kind = 2 and n <> 0`,
    );
  const fill = async (account: string, times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) await makeWithdraw(server, admin, account, { amount: `${10 + time}` });
  };
  const above = await makeOperator(server, admin);
  const successor = await makeOperator(server, admin, { parent: above.account });
  const first = await makeOperator(server, admin, { parent: successor.account });
  const second = await makeOperator(server, admin, { parent: above.account });
  const accounts = ['next.0', 'next.1', 'next.2'];
  for (const [index, agent] of [successor, first, second].entries()) {
    const account = accounts[index] ?? '';
    await makeUser(server, { account, agent: agent.account, amount: '100000' });
    await fill(account, 45);
  }
  await compact();
  const askers = [ALL, above, successor];
  const sameUnder = async (agent: string): Promise<void> => {
    for (const who of askers)
      await sameAsRows(
        10,
        () => ({ agent, agentRoot: oneOf([agent, undefined]), account: oneOf(['n*', 'next.1*', undefined]) }),
        [who],
      );
  };
  await fill('next.1', 3);
  const tree: Scope = { kind: 'agents', ids: [above, successor, first, second].map(({ id }) => id) };
  await deleteAgent(first, successor, tree);
  for (let time = 0; time < 2; time += 1) {
    expect(await check()).toEqual([]);
    await sameUnder(successor.account);
    await compact();
  }
  expect((await scopes()).find(({ key }) => key === successor.id)).toMatchObject({ n: 93 });
  await fill('next.2', 2);
  await deleteAgent(second, successor);
  await fill('next.1', 2);
  await compact();
  expect(await check()).toEqual([]);
  await sameUnder(successor.account);
  // The successor passes on what it took over.
  await deleteAgent(successor, above);
  expect(await check()).toEqual([]);
  await sameUnder(above.account);
  await compact();
  expect(await check()).toEqual([]);
  const keys = (await scopes()).map(({ key }) => key);
  expect(keys.filter((key) => [successor, first, second].some(({ id }) => id === key))).toEqual([]);
});

test('the check names what differs, and a rebuild repairs it', async () => {
  await compact();
  await server.query(
    sql`update counter set n = n + 1 where resource = 1 and kind = 1 and key = 1 and level = 1 and dims[1] = 4 and market_id = 1`,
  );
  await server.query(sql`delete from counter where resource = 2 and level > 1`);
  await server.query(sql`update counter_scope set n = n + 1 where resource = 3 and kind = 1 and key = 1`);
  await server.query(sql`update counter_time set hi = lo where resource = 4`);
  const found = await check();
  expect(found.find(({ table }) => table === 'withdraw')?.place).toMatch(
    /^kind 1 key 1 level 1 block 0 dims \{4\} market 1$/,
  );
  expect(new Set(found.map(({ table }) => table))).toEqual(new Set(['withdraw', 'recharge', 'entry', 'users']));
  await rebuildCounters(server.owner);
  expect(await check()).toEqual([]);
});
