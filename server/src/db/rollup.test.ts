// @module-tag full
// @module-tag soak
import { readFileSync } from 'node:fs';
import type { WithdrawRow } from '@hengtai/contract/withdraw.schema';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestOperator, findUser, makeOperator, makeUser, makeWithdraw } from '../../test/factories.ts';
import { type TestServer, analyze, apply, call, login, testServer, unique } from '../../test/server.ts';
import { buryAgent } from '../agent/agent-tree.store.ts';
import type { Ctx } from '../context.ts';
import { listLedgerEntries } from '../ledger-entry/ledger-entry.store.ts';
import { listRecharges } from '../recharge/recharge.store.ts';
import { listUsers } from '../user/user.store.ts';
import { listWithdraws } from '../withdraw/withdraw.store.ts';
import { type Scope, scoped } from './connect.ts';
import type { ListReader, ListSource } from './list.ts';
import { findIds, findInBlocks } from './rolled-rows.ts';
import { type Target, findTarget, lookUp } from './rolled-target.ts';
import { limitUsers } from './rolled-users.ts';
import { checkRollups } from './rollup-check.ts';
import { isAmong } from './scope.ts';
import { lockTree } from './tree.ts';
import { leaveRanges } from './rollup-ranges.ts';
import { compactRollups, rebuildRollups } from './rollup-compact.ts';
import { rolled } from './rollup.ts';
import { sized } from '../../../testing/level.ts';

/** So few rows make a key large here that every way through the rollups is taken. */
const LOW = { promoteAt: 60, blockRows: 16, rangeAt: 90, rangeRows: 70, rangeBlockRows: 8 };
const ROWS = 900;
const T0 = 1_700_000_000_000;
const ALL = { account: 'admin', id: 1 };
const WIDTH = 105;

const rollup = { noun: rolled.withdraw, from: sql`withdraw w`, user: 'w.user_id' };
const ROLLED = { rollup } as unknown as ListSource;

let server: TestServer;
let admin: string;
let agents: Record<'top' | 'middle' | 'low' | 'beside' | 'heavy' | 'dry', TestOperator>;
let users: { id: number; account: string; agentId: number }[];
let random: () => number;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
  random = seeded(7_071_067);
  // Rows lie far apart, as if many others lay between them: so a few hundred fill many blocks.
  for (const table of ['withdraw', 'recharge', 'entry', 'users'])
    await server.query(
      sql`alter sequence ${sql.ref(`${table}_id_seq`)} increment by ${sql.lit(table === 'users' ? 900 : 1_700)}`,
    );
  const top = await makeOperator(server, admin, { account: 'Roll.Top', abilities: [5, 6, 7, 8] });
  const middle = await makeOperator(server, admin, { account: 'Roll.Middle', parent: top.account });
  const low = await makeOperator(server, admin, { account: 'Roll.Low', parent: middle.account });
  const beside = await makeOperator(server, admin, { account: 'Roll.Beside' });
  const heavy = await makeOperator(server, admin, { account: 'Roll.Heavy', parent: beside.account });
  const dry = await makeOperator(server, admin, { account: 'Roll.Dry', parent: low.account });
  agents = { top, middle, low, beside, heavy, dry };
  // Two of the trees are so wide that their agents are looked up in a set.
  for (let n = 0; n < WIDTH; n += 1) await makeOperator(server, admin, { parent: middle.account });
  for (const [index, { account }] of [top, middle, low, low, beside, heavy, heavy].entries())
    await makeUser(server, { account: `${index < 4 ? 'role' : 'roll'}.${index}`, agent: account, amount: '1000000' });
  users = await server.query(
    sql<(typeof users)[number]>`select id, account, agent_id as "agentId" from users order by id`,
  );
  await plant();
  await rebuildRollups(server.app.system, LOW);
});
afterAll(() => server.stop());

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
const upTo = (n: number): number => Math.floor(random() * n);
const oneOf = <T>(values: readonly T[]): T => values[upTo(values.length)] as T;

/**
 * Withdrawals of all states and three coins, most of them of the last user, and recharges; times grow with the ids, roughly,
 * and some have the same, as have their values.
 */
async function plant(): Promise<void> {
  const rows = (make: (index: number, user: (typeof users)[number]) => RawBuilder<unknown>) =>
    sql.join(
      Array.from({ length: ROWS }, (_, index) => {
        const user = upTo(3) === 0 ? oneOf(users) : users.at(-1);
        return make(index, user ?? { id: 0, account: '', agentId: 0 });
      }),
    );
  const amount = () => `${1 + upTo(1_000_000)}.${String(upTo(1_000_000_000)).padStart(18, '7')}`;
  const at = (index: number) => T0 + index * 1_000 - 4_000 * upTo(5);
  await server.query(sql`insert into withdraw (no, user_id, agent_id, market_id, network, address, amount, fee, state, valuation, risk, created_at,
    recorded_at, updated_at) values ${rows(
      (index, { id, agentId }) =>
        sql`(${`pw-${index}`}, ${id}, ${agentId}, ${1 + upTo(3)}, 'TRC20', ${`T${upTo(4)}`}, ${amount()}::numeric, 1, ${upTo(10)},
          ${oneOf([null, 5, 5, upTo(100)])}::numeric, ${oneOf(['{}', '{first_address}'])}::text[], ${at(index)}, ${T0}, ${T0})`,
    )}`);
  await server.query(sql`insert into recharge (no, user_id, agent_id, market_id, network, address, amount, source, state, created_at,
    recorded_at, updated_at) values ${rows(
      (index, { id, agentId }) =>
        sql`(${`pr-${index}`}, ${id}, ${agentId}, ${1 + upTo(3)}, 'TRC20', 'T', ${amount()}::numeric, ${1 + upTo(2)}, ${upTo(5)}, ${at(index)}, ${T0}, ${T0})`,
    )}`);
}

/** As the request of an operator, in one snapshot. */
async function asked<T>(who: { id: number; account: string }, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  const ids = await server.query(sql<{ id: number }>`select descendant as id from closure where ancestor = ${who.id}`);
  const scope: Scope = who.id === 1 ? { kind: 'all' } : { kind: 'agents', ids: ids.map(({ id }) => id) };
  const operator = { ...who, top: who.id === 1, abilities: [] };
  return scoped(
    server.app.requests,
    scope,
    who.id,
    (db) =>
      work({
        db,
        scope,
        operator,
        sessionId: null,
        codes: { on: false, due: false, demanded: false, freshAt: null, passwordDue: false },
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
  withdraw: { reader: listWithdraws, sorts: ['amount', 'valuation', 'reviewedAt'], filters: () => oneOf([{}, { state: upTo(11) }, { marketId: 1 + upTo(4) }, { state: upTo(10), marketId: 1 + upTo(3) }, { risk: 'first_address' }, { address: `T${upTo(5)}`, state: upTo(10) }]) },
  recharge: { reader: listRecharges, sorts: ['amount'], filters: () => oneOf([{}, { state: upTo(6) }, { source: 1 + upTo(2) }, { marketId: 1 + upTo(4), state: upTo(5) }]) },
  fund: { reader: listLedgerEntries, filters: () => oneOf([{}, { type: 1 + upTo(8) }, { state: upTo(3) }, { bucket: oneOf(['active', 'frozen']) }, { platform: 1 + upTo(4) }]) },
  user: { reader: listUsers, filters: () => oneOf([{}, { state: upTo(2) }, { auth: upTo(5) }]) },
}; // prettier-ignore

function randomWho(noun: string): object {
  const accounts = [...Object.values(agents).map(({ account }) => account), 'admin', 'nobody'];
  const user = oneOf(users);
  const mine =
    noun === 'user'
      ? {}
      : oneOf([
          { account: user.account.toUpperCase() },
          { account: `${user.account.slice(0, 1 + upTo(7))}*` },
          { userId: user.id },
          { account: 'roll.6' },
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

/** The share of the random questions that are asked. */
const DRAWN = sized({ full: 0.4, long: 1 });

/** A page, its total and its sums by the counters equal those by reading every row. */
async function sameAsRows(
  times: number,
  always: () => object = () => ({}),
  askers: readonly { id: number; account: string }[] = [ALL, ALL, ...Object.values(agents)],
  nouns = Object.keys(lists),
): Promise<void> {
  const asking = Object.entries(lists).filter(([noun]) => nouns.includes(noun));
  for (let time = 0; time < times * DRAWN; time += 1) {
    const [noun, { reader, filters, sorts = [] }] = oneOf(asking);
    const sort = oneOf(['id', 'createdAt', ...sorts]);
    const who = oneOf(askers);
    const size = oneOf([1, 7, 10, 50, 200]);
    const input = {
      ...filters(),
      ...randomWho(noun),
      ...randomTime(),
      ...oneOf([{}, { sort }, { sort: `-${sort}` }]),
      ...always(),
    };
    await asked(who, async (ctx) => {
      const whole = await reader.whole(ctx, input);
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
          ...(whole.summary && { summary: whole.summary }),
        },
      ]);
    });
  }
}

const grids = (): Promise<{ noun: number; kind: number; n: number }[]> =>
  server.query(sql<{ noun: number; kind: number; n: number }>`
    select noun, kind, count(*) as n from roll_grid where shift is not null group by 1, 2 order by 1, 2`);
const pending = async (): Promise<number> =>
  (await server.query(sql<{ n: number }>`select count(*) as n from roll_delta`))[0]?.n ?? 0;
const check = async () => {
  await server.query(analyze);
  return checkRollups(server.app.system);
};
const compact = async (): Promise<void> => {
  while (await compactRollups(server.app, LOW));
};

describe('lists by their rollups', () => {
  test('some of everything is cut into blocks, and some is not', async () => {
    const kinds = await grids();
    for (const kind of [0, 1, 2, 3, 4]) expect(kinds).toContainEqual({ noun: 1, kind, n: expect.any(Number) });
    const blocks = await server.query(sql<{ n: number }>`
      select count(distinct block) as n from roll_block where noun = 1 and kind = 0 and level = 0`);
    expect(blocks[0]?.n).toBeGreaterThan(20);
    const spans = await server.query(sql<{ n: number }>`
      select count(distinct block) as n from roll_block where noun = 1 and kind = 0 and level = 1`);
    expect(spans[0]?.n).toBeGreaterThan(2);
    const small = await server.query(sql`select 1 from roll_sum s where noun = 1 and kind in (1, 2) and not exists (
      select from roll_grid g where (g.noun, g.kind, g.key) = (s.noun, s.kind, s.key))`);
    expect(small.length).toBeGreaterThan(0);
    expect(await check()).toEqual([]);
  });

  test('are those of the rows, page by page', () => sameAsRows(250));

  test('also while nothing of it is added up yet, and after it', async () => {
    await actions();
    expect(await pending()).toBeGreaterThan(20);
    await sameAsRows(200);
    await compact();
    expect(await pending()).toBe(0);
    expect(await check()).toEqual([]);
    await sameAsRows(100);
  });

  test('fund records in each state, for whoever asks', async () => {
    const { list } = await asked(ALL, (ctx) => listLedgerEntries(ctx, { state: 0, size: 200 }));
    const kinds = [['check'], ['doubt'], ['check', 'reset'], []];
    for (const [index, { id }] of list.entries())
      for (const kind of kinds[index % 4] ?? [])
        await call(server, 'POST', `fund/record/state/${kind}`, { id }, { token: admin });
    await compact();
    for (const state of [0, 1, 2]) {
      expect((await asked(ALL, (ctx) => listLedgerEntries(ctx, { state }))).total).toBeGreaterThan(10);
      for (const who of [ALL, ...Object.values(agents)])
        await sameAsRows(12, () => ({ state, account: undefined, userId: undefined }), [who], ['fund']);
    }
  });

  const ways: readonly Parameters<typeof limitUsers>[0][] = [
    { rows: 0, few: 0, others: 0, near: 0 },
    { rows: 0, few: 0, users: 0, near: 0 },
    { rows: 0, few: 0, users: 0, others: 0, near: 0 },
    { rows: 0, few: 0, users: 0, others: 0, near: 0, collected: 0 },
    { rows: 200, few: 0, users: 0, others: 0, near: 0 },
    { rows: 200, few: 0, users: 0, others: 0, near: 0, nearRange: 0 },
    { rows: 0, few: 0, users: 0, others: 0 },
    { users: 0 },
    { users: 0, near: 0 },
  ];
  test.each(ways)('those of users who begin so as well, whichever way they are found: %j', async (lower) => {
    limitUsers(lower);
    try {
      await sameAsRows(80, () => ({ account: oneOf(['role.*', 'roll.*', 'roll.6*', 'rol*', 'role.1*', 'x*']) }));
      for (const state of [0, 1, 2]) {
        const { whole, found } = await asked(ALL, async (ctx) => ({
          whole: await listLedgerEntries.whole(ctx, { account: 'role.*', state }),
          found: await listLedgerEntries(ctx, { account: 'role.*', state }),
        }));
        expect(found.total).toBeGreaterThan(0);
        expect([found.total, found.summary]).toEqual([whole.total, whole.summary]);
      }
    } finally {
      limitUsers({});
    }
  });

  test('and when nothing is cut into blocks', async () => {
    await rebuildRollups(server.app.system);
    expect(await grids()).toEqual([]);
    await sameAsRows(150);
    await rebuildRollups(server.app.system, LOW);
  });
});

test('of a wide tree nothing but its own is counted or found, also of what was not added up yet', async () => {
  await compact();
  const busy = users.slice(3);
  for (const { account } of busy) await makeWithdraw(server, admin, account, { amount: '11' });
  expect(await pending()).toBeGreaterThanOrEqual(busy.length);
  for (const { account } of [agents.top, agents.middle]) {
    for (const [noun, { reader }] of Object.entries(lists)) {
      await asked(ALL, async (ctx) => {
        const whole = await reader.whole(ctx, { agentRoot: account });
        const { total, summary } = await reader(ctx, { agentRoot: account });
        expect([noun, account, total, summary]).toEqual([noun, account, whole.total, whole.summary]);
      });
    }
  }
  const own = await server.query(sql<{ id: number }>`
    select w.id from withdraw w join closure c on c.descendant = w.agent_id where c.ancestor = ${agents.top.id} order by w.id`);
  const tree = await server.query(sql<{ id: number }>`
    select descendant as id from closure where ancestor = ${agents.top.id}`);
  const target: Target = {
    kind: 1,
    keys: [agents.top.id],
    ids: tree.map(({ id }) => id),
    pending: sql`true`,
  };
  const [first, last] = [own[0]?.id ?? 0, own.at(-1)?.id ?? 0];
  const source = { id: 'w.id', filters: { agent: 'w.agent_id' } } as unknown as ListSource;
  const rows = {
    db: server.owner,
    source,
    target,
    from: sql`withdraw w`,
    tree: sql`true`,
    where: sql`true`,
    ascending: true,
    by: null,
  };
  const stretch = { size: 1e6, offset: 0, ids: { from: first, to: last + 1 } };
  const blocks = Array.from({ length: (last >> 12) - (first >> 12) + 1 }, (_, at) => (first >> 12) + at);
  // Where many are told to lie it pays to look at every id, and otherwise agent by agent.
  const ways = (asking: typeof rows, many = 1e6): Promise<number[][]> =>
    Promise.all([
      findIds(asking, { ...stretch, expected: many }),
      findIds(asking, { ...stretch, expected: 0 }),
      findIds({ ...asking, few: true }, { ...stretch, expected: many }),
      findInBlocks(asking, 12, blocks, { all: many, most: many }, stretch),
      findInBlocks(asking, 12, blocks, { all: many, most: 0 }, stretch),
    ]);
  const all = Array.from({ length: 5 }, () => own.map(({ id }) => id));
  expect(await ways(rows)).toEqual(all);
  // No row-level security is beneath these: what the list asks of every row is enough where no agent is named.
  const everybody = {
    ...rows,
    target: { ...target, everybody: true as const },
    tree: isAmong(sql.ref('w.agent_id'), target.ids ?? []),
  };
  expect(await ways(everybody)).toEqual(all);
});

test('only the rows of the whole own tree are found without naming their agents', async () => {
  const target = (input: object) =>
    asked(agents.top, async (ctx) => findTarget(ctx, rollup, await lookUp(ctx, ROLLED, input)));
  expect(await target({})).toMatchObject({ everybody: true });
  for (const values of [
    { agent: agents.middle.account },
    { agentRoot: agents.middle.account },
    { agentRoot: agents.top.account },
  ])
    expect(await target(values)).not.toHaveProperty('everybody');
  expect(await target({ account: users[0]?.account ?? '' })).not.toHaveProperty('everybody');
});

/** New rows, decisions and marks of all nouns. */
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
    const records = await asked(ALL, (ctx) => listLedgerEntries(ctx, { account }));
    for (const record of records.list.slice(0, 2))
      await call(server, 'POST', 'fund/record/state/check', { id: record.id }, { token: admin });
    const [marked] = records.list;
    await call(server, 'POST', 'fund/record/state/doubt', { id: marked?.id }, { token: admin });
    if (account !== users[0]?.account) await call(server, 'POST', 'user/state/enable', { id }, { token: admin });
  }
}

test('all at once: new rows, decisions, moves of users and agents, deletions, while it is added up', async () => {
  const going = { on: true };
  const adding = (async () => {
    while (going.on) await compactRollups(server.app, LOW);
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
  let looked = 0;
  // Whoever looks meanwhile finds everything right in that moment.
  const looking = (async () => {
    while (looked < 3 || going.on) {
      expect(await check()).toEqual([]);
      looked += 1;
    }
  })();
  await running.finally(() => (going.on = false));
  await Promise.all([adding, looking]);
  await compact();
  expect(await check()).toEqual([]);
  await sameAsRows(80);
});

test('a user that moves takes its rows along, an agent its subtree', async () => {
  const [user] = users;
  const totalOf = async (agentRoot: string): Promise<number> =>
    (await asked(ALL, (ctx) => listWithdraws(ctx, { agentRoot }))).total;
  const account = agents.beside.account;
  await call(server, 'POST', 'user/agent/change', { userId: user?.id, agent: agents.dry.account }, { token: admin });
  const own = (await asked(ALL, (ctx) => listWithdraws(ctx, { userId: user?.id ?? 0 }))).total;
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

describe('ranges of accounts', () => {
  const rangesOf = (key: number) =>
    server.query(sql<{ noun: number; first: string; most: number }>`
      select noun, first, most from roll_range where kind = 1 and key = ${key} order by noun, first`);
  /** Of all who begin so, of each list, by the ranges wherever there are any. */
  const sameByRanges = async (who: { id: number; account: string }, always: object = {}): Promise<void> => {
    limitUsers({ rows: 0, few: 0, others: 0, near: 0 });
    try {
      for (const account of ['rol*', 'role.*', 'roll.*', 'role.1*']) {
        for (const [noun, { reader }] of Object.entries(lists)) {
          const { whole, found } = await asked(who, async (ctx) => ({
            whole: await reader.whole(ctx, { ...always, account }),
            found: await reader(ctx, { ...always, account }),
          }));
          expect([noun, account, found.total, found.summary]).toEqual([noun, account, whole.total, whole.summary]);
        }
      }
    } finally {
      limitUsers({});
    }
  };

  test('are left by an operator who sees its own tree alone, and by nobody in another', async () => {
    await rebuildRollups(server.app.system, LOW);
    const [spot] = await server.query(sql<{ id: number; userId: number; first: string }>`
      select r.key as id, u.id as "userId", r.first from roll_range r join users u on u.account_key = r.first
      join closure c on c.ancestor = r.key and c.descendant = u.agent_id where r.kind = 1 and r.key <> 1 order by r.id limit 1`);
    if (!spot) throw new Error('No tree has a range that begins with a user.');
    const tree = await server.query(
      sql<{ id: number }>`select descendant as id from closure where ancestor = ${spot.id}`,
    );
    const leave = (ids: number[]): Promise<void> =>
      scoped(server.app.requests, { kind: 'agents', ids }, ids[0] ?? 0, (db) => leaveRanges(db, spot.userId, 1));
    const { n: all } = (await server.query(sql<{ n: number }>`select count(*) as n from roll_range`))[0] ?? { n: 0 };
    await leave([agents.dry.id + 100_000]);
    expect(await server.query(sql`select count(*) as n from roll_range`)).toEqual([{ n: all }]);
    await leave(tree.map(({ id }) => id));
    expect((await rangesOf(spot.id)).map(({ first }) => first)).not.toContain(spot.first);
    expect(await check()).toEqual([]);
    await compact();
    expect(await check()).toEqual([]);
    await sameByRanges(ALL);
  });

  test('are divided as they grow, but no user is', async () => {
    await rebuildRollups(server.app.system, LOW);
    const before = await rangesOf(1);
    expect(before.filter(({ noun }) => noun === 1).length).toBeGreaterThan(3);
    expect(await check()).toEqual([]);
    const heavy = users.at(-1)?.account ?? '';
    const others = users.slice(1, 3).map(({ account }) => account);
    // No block grows too full of it.
    const grow = async (): Promise<void> => {
      while (await compactRollups(server.app, { ...LOW, blockRows: 1e6 }));
    };
    for (let time = 0; time < 45; time += 1)
      for (const account of others) await makeWithdraw(server, admin, account, { amount: '10' });
    await grow();
    for (const account of [heavy, ...others]) await makeWithdraw(server, admin, account, { amount: '10' });
    // Nothing of it is added up yet.
    await sameByRanges(ALL);
    await grow();
    const after = (await rangesOf(1)).filter(({ noun }) => noun === 1);
    expect(after.length).toBeGreaterThan(before.filter(({ noun }) => noun === 1).length);
    expect(after.find(({ first }) => first === heavy)?.most).toBeGreaterThan(2 * LOW.rangeRows);
    expect(await check()).toEqual([]);
    await sameByRanges(ALL);
  });

  test('are not asked by who cannot see whose rows have just left', async () => {
    const account = await makeUser(server, { account: 'role.0.leaves', agent: agents.low.account, amount: '100' });
    const { id } = await findUser(server, admin, account);
    for (let time = 0; time < 3; time += 1) await makeWithdraw(server, admin, account, { amount: '10' });
    await compact();
    const spare = await makeOperator(server, admin);
    const rows = async () => (await asked(agents.low, (ctx) => listWithdraws(ctx, { account: 'role.*' }))).total;
    const before = await rows();
    const first = await server.query(sql`select 1 from roll_range where first = ${account}`);
    expect(first).toEqual([]);
    const input = { userId: id, agent: spare.account };
    expect(await call(server, 'POST', 'user/agent/change', input, { token: admin })).toMatchObject({ code: 200 });
    expect(await pending()).toBeGreaterThan(0);
    expect(await rows()).toBe(before - 3);
    for (const who of [ALL, agents.top, agents.middle, agents.low, spare]) await sameByRanges(who);
    await compact();
    for (const who of [ALL, agents.low]) await sameByRanges(who);
  });

  test('say nothing else while users and agents move, and nothing of who has left', async () => {
    const [spot] = await server.query(sql<{ id: number; account: string; userId: number; gone: string }>`
      select x.id, x.account, u.id as "userId", u.account as gone
      from roll_range r join agent x on x.id = r.key and r.kind = 1 join users u on u.account_key = r.first
      join closure c on c.ancestor = x.id and c.descendant = u.agent_id where x.id <> 1 order by r.id limit 1`);
    if (!spot) throw new Error('No tree has a range that begins with a user.');
    const { gone, userId, ...tree } = spot;
    const outside = Object.values(agents).find(({ account }) => account !== tree.account) ?? agents.beside;
    const spare = await makeOperator(server, admin);
    const input = { userId, agent: spare.account };
    expect(await call(server, 'POST', 'user/agent/change', input, { token: admin })).toMatchObject({ code: 200 });
    expect((await rangesOf(tree.id)).map(({ first }) => first)).not.toContain(gone);
    expect((await rangesOf(1)).map(({ first }) => first)).toContain(gone);
    // Nothing of it is added up yet.
    for (const who of [ALL, tree, outside, spare]) await sameByRanges(who);
    await sameByRanges(ALL, { agentRoot: tree.account });
    expect(await check()).toEqual([]);
    await compact();
    expect(await check()).toEqual([]);
    for (const who of [ALL, tree]) await sameByRanges(who);
    const moved = { id: spare.id, parent: tree.account };
    expect(await call(server, 'POST', 'agent/parent/change', moved, { token: admin })).toMatchObject({ code: 200 });
    expect(await rangesOf(tree.id)).toEqual([]);
    await sameByRanges(tree);
    await compact();
    expect((await rangesOf(tree.id)).map(({ first }) => first)).toContain(gone);
    expect(await check()).toEqual([]);
    const kept = await server.query(sql`select 1 from roll_block b where kind = 4 and not exists (
      select from roll_range r where r.id = b.key)`);
    expect(kept).toEqual([]);
    for (const who of [ALL, tree]) await sameByRanges(who);
  });
});

describe('what is shown under the name of an heir', () => {
  const bury = (gone: TestOperator, successor: TestOperator, scope: Scope = { kind: 'all' }): Promise<number[]> =>
    scoped(server.app.requests, scope, 1, async (db) => {
      await lockTree(db, 'exclusive');
      return buryAgent(db, gone.id, successor, server.clock.now());
    });
  const keysOf = (table: 'roll_sum' | 'roll_grid' | 'roll_block' | 'roll_range') =>
    server.query(sql<{ key: number }>`select distinct key from ${sql.ref(table)} where noun = 1 and kind = 2`);
  const fill = async (account: string, times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) await makeWithdraw(server, admin, account, { amount: `${10 + time}` });
  };
  /** Whoever asks for the agent, by whichever way. */
  const sameUnder = async (agent: string, askers: readonly { id: number; account: string }[]): Promise<void> => {
    for (const lower of [{}, { rows: 0, few: 0, others: 0, near: 0 }]) {
      limitUsers(lower);
      for (const who of askers) {
        await sameAsRows(6, () => ({ agent, agentRoot: oneOf([agent, undefined, undefined]), account: oneOf(['h*', 'heir.1*', 'heir.*', undefined]) }), [who]);
      }
    }
    limitUsers({});
  }; // prettier-ignore
  afterAll(() => limitUsers({}));

  test('is counted with its own, whoever has deleted whom', async () => {
    const above = await makeOperator(server, admin);
    const successor = await makeOperator(server, admin, { parent: above.account });
    const [gone, later, idle] = [
      await makeOperator(server, admin, { parent: successor.account }),
      await makeOperator(server, admin, { parent: above.account }),
      await makeOperator(server, admin, { parent: above.account }),
    ];
    for (const [index, agent] of [successor, gone, later].entries()) {
      for (const more of ['', '.more']) {
        const account = `heir.${index}${more}`;
        await makeUser(server, { account, agent: agent.account, amount: '100000' });
        await fill(account, 20);
      }
    }
    await makeUser(server, { account: 'heir.3', agent: idle.account, amount: '1000' });
    await fill('heir.3', 4);
    await compact();
    // Without statistics the planner chooses plans that take three times as long.
    await server.query(sql`analyze`);
    const own = (key: number) => ({ key });
    expect(await keysOf('roll_range')).not.toContainEqual(own(successor.id));
    expect(await keysOf('roll_grid')).not.toContainEqual(own(successor.id));
    const askers = [ALL, above, successor];

    // By an operator who sees its own tree alone, with rows that are not added up yet.
    await fill('heir.1', 3);
    const tree: Scope = { kind: 'agents', ids: [above, successor, gone, later, idle].map(({ id }) => id) };
    await bury(gone, successor, tree);
    expect(await check()).toEqual([]);
    await sameUnder(successor.account, askers);
    await compact();
    expect(await check()).toEqual([]);
    expect(await keysOf('roll_sum')).not.toContainEqual(own(gone.id));
    expect(await keysOf('roll_grid')).toContainEqual(own(successor.id));
    await sameUnder(successor.account, askers);

    await fill('heir.2', 2);
    for (const other of [later, idle]) {
      await bury(other, successor);
      for (let turn = 0; turn < 2; turn += 1) {
        expect(await check()).toEqual([]);
        await sameUnder(successor.account, askers);
        await compact();
      }
      expect(await keysOf('roll_range')).toContainEqual(own(successor.id));
      expect(await keysOf('roll_block')).toContainEqual(own(successor.id));
    }
    // Blocks and ranges that stand are added to by who is gone.
    await fill('heir.1', 2);
    await compact();
    expect(await check()).toEqual([]);
    await sameUnder(successor.account, [ALL]);
    const askedOf = await asked(ALL, (ctx) => lookUp(ctx, ROLLED, { agent: successor.account } as object));
    expect(askedOf.agents).toMatchObject({ kind: 2, key: successor.id });
    expect(askedOf.agents?.ids).toHaveLength(4);

    // What it had taken over goes on with it.
    await bury(successor, above);
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await check()).toEqual([]);
      await sameUnder(above.account, [ALL, above]);
      await compact();
    }
    for (const table of ['roll_sum', 'roll_grid', 'roll_block', 'roll_range'] as const) {
      const keys = (await keysOf(table)).map(({ key }) => key);
      expect([table, keys.includes(above.id)]).toEqual([table, true]);
      expect([table, keys.filter((key) => [successor, gone, later, idle].some(({ id }) => id === key))]).toEqual([
        table,
        [],
      ]);
    }
    await sameUnder(above.account, [ALL, above]);
  });
});

test('the check names what does not agree, and counting anew repairs it', async () => {
  await compact();
  await server.query(sql`update roll_sum set n = n + 1 where noun = 1 and kind = 0 and d1 = 4 and market_key = 1`);
  await server.query(sql`update roll_block set s1 = s1 + 1 where (noun, kind, key, level, market_key, block, d1, d2) = (
    select noun, kind, key, level, market_key, block, d1, d2 from roll_block where noun = 2 and market_key > 0 order by 1, 2, 3, 4, 5, 6, 7, 8 limit 1)`);
  await server.query(sql`delete from roll_block where noun = 3 and market_key = 0 and kind = 0 and level = 1`);
  const found = await check();
  expect(found[0]).toMatchObject({ noun: 'withdraw', where: 'kind 0 key 0 block 0 d 4 0 market 1' });
  expect(new Set(found.map(({ noun }) => noun))).toEqual(new Set(['withdraw', 'recharge', 'fund']));
  await rebuildRollups(server.app.system, LOW);
  expect(await check()).toEqual([]);
});

test('blocks that were made before they were counted by each grain are counted so by the migration', async () => {
  await compact();
  const grained = sql<{ n: number }>`select count(*) as n from roll_block where level > 3`;
  const [{ n: before } = { n: 0 }] = await server.query(grained);
  expect(before).toBeGreaterThan(10);
  await server.query(sql`delete from roll_block where level > 3 or (level > 1 and market_key <> 0)`);
  expect(await check()).not.toEqual([]);
  for (const name of ['0043-grains', '0050-wholes'])
    await server.query(sql.raw(readFileSync(new URL(`../../migrations/${name}.sql`, import.meta.url), 'utf8')));
  expect(await server.query(grained)).toEqual([{ n: before }]);
  expect(await check()).toEqual([]);
});

test('a block that grows too full is cut again, and as fine as the even spread of its rows', async () => {
  const [before] = await server.query(sql<{ shift: number }>`select shift from roll_grid where noun = 2 and kind = 0`);
  await server.query(sql`update roll_grid set shift = 40 where noun = 2 and kind = 0`);
  await server.query(sql`delete from roll_block where noun = 2 and kind = 0`);
  await server.query(sql`insert into roll_block (noun, kind, key, level, market_key, block, d1, d2, n, s1, s2, s3, lo, hi)
    select 2, 0, 0, l.level, m.market, 0, state, source, count(*), case m.market when 0 then 0 else sum(amount) end, 0, 0, min(created_at), max(created_at)
    from recharge cross join lateral (values (0), (market_id)) m(market) cross join (values (0), (1)) l(level)
    group by l.level, m.market, state, source
    union all
    select 2, 0, 0, l.level, m.market, 0, 0, 0, count(*), case m.market when 0 then 0 else sum(amount) end, 0, 0, min(created_at), max(created_at)
    from recharge cross join lateral (values (0), (market_id)) m(market) cross join (values (2), (3), (10)) l(level)
    group by l.level, m.market`);
  expect(await check()).toEqual([]);
  for (let time = 0; time < 10; time += 1) {
    const data = { no: unique('R'), account: users[0]?.account, market: 'USDT', network: 'TRC20', address: 'T', amount: '5', confirmations: 1, source: 1 }; // prettier-ignore
    await apply(server, { type: 'recharge.detected', data });
    await compact();
  }
  const [after] = await server.query(sql<{ shift: number }>`select shift from roll_grid where noun = 2 and kind = 0`);
  expect(after?.shift).toBeLessThanOrEqual((before?.shift ?? 0) + 1);
  expect(await check()).toEqual([]);
});
