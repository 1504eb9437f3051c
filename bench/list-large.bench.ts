/**
 * Pages of withdraw/list, fund/record and user/list out of the millions that `npm run bench:data` made, through HTTP: any
 * page, with exact total and sums, for every kind of tree and filter. The figure is the 95th percentile; its limit is what a
 * page may take. What a list reads is in memory and the server has been at work, as after a day. Every total and some pages of
 * each scene are compared with plain SQL.
 */
import { API_BASE } from '@hengtai/contract/endpoint';
import { PAGE_SIZE, type Page } from '@hengtai/contract/list';
import { type RawBuilder, sql } from 'kysely';
import { callOnce, login } from './lib/child.ts';
import { ADMIN, type BenchDatabase } from './lib/database.ts';
import { request } from './lib/http.ts';
import { DORMANT_ROOT } from './lib/large-data.ts';
import {
  onLarge,
  type List,
  below,
  beginning,
  funds,
  people,
  plainTotals,
  readIn,
  shownAs,
  withdrawals,
} from './lib/large-lists.ts';
import { drive } from './lib/load.ts';
import type { Figure } from './lib/report.ts';
import { must, say, scaled } from './lib/run.ts';

/** Which scenes, as a part of their name; all of them without it. */
const only = new RegExp(process.env['SCENES'] ?? '');
const ONE = scaled(200, 20);
const DEEP = 1_000_000;

interface Scene {
  name: string;
  list: List;
  account: string;
  query: string;
  where: RawBuilder<unknown>;
  /** Milliseconds at the 95th percentile: one at a time, and eight at once. */
  one: number;
  eight?: number;
  firstPage?: true;
  times?: number;
  /** The column by which rows are ordered, the largest first. */
  by?: string;
}

await onLarge(async (database, port) => {
  const figures: Figure[] = [];
  let list: List | undefined;
  for (const scene of (await scenes(database)).filter(({ name }) => only.test(name))) {
    if (scene.list !== list) {
      list = scene.list;
      await readIn(database, list);
      await work(port, list);
    }
    figures.push(...(await measure(database, port, scene)));
  }
  return figures;
});

async function scenes(database: BenchDatabase): Promise<Scene[]> {
  const [withdrawn, recorded, registered] = [
    await scenesOf(database, withdrawals),
    await scenesOf(database, funds),
    await scenesOf(database, people),
  ];
  const all = { account: ADMIN.account, list: withdrawals };
  const dormant = { account: DORMANT_ROOT, list: withdrawals, where: below(DORMANT_ROOT) };
  return [
    ...withdrawn,
    { ...all, name: 'one coin', query: '&marketId=2&state=5', where: sql`w.market_id = 2 and w.state = 5`, one: 1_000, times: 40 },
    { ...all, name: 'a coin of few, by amount', query: '&marketId=6&sort=-amount', where: sql`w.market_id = 6`, by: 'w.amount', one: 1_000, times: 20 },
    { ...all, name: 'a coin of few, users by prefix', query: '&marketId=6&account=user1*&sort=-amount', where: sql`w.market_id = 6 and ${beginning(withdrawals, 'user1')}`, by: 'w.amount', one: 1_000, times: 20 },
    { ...all, name: 'a new coin', query: '&marketId=7', where: sql`w.market_id = 7`, one: 1_000, times: 20 },
    { ...all, name: 'a risk', query: '&risk=first_address', where: sql`'first_address' = any(w.risk)`, one: 1_000, times: 10 },
    { ...all, name: 'users by prefix', query: '&account=user12*', where: beginning(withdrawals, 'user12'), one: 1_000, times: 40 },
    { ...dormant, name: 'dormant users by prefix', query: '&account=user1*', where: sql`${dormant.where} and ${beginning(withdrawals, 'user1')}`, one: 1_000, times: 40 },
    { ...all, list: funds, name: 'funds: a new coin', query: '&marketId=7', where: sql`w.market_id = 7`, one: 1_000, times: 20 },
    { ...all, list: funds, name: 'funds: users by prefix', query: '&account=user12*', where: beginning(funds, 'user12'), one: 1_000, times: 40 },
    ...recorded.map((scene) => ({ ...scene, name: `funds: ${scene.name}` })),
    ...registered.map((scene) => ({ ...scene, name: `users: ${scene.name}` })),
  ]; // prettier-ignore
}

/** Whose rows, in which state, and when, as all big lists have it. */
async function scenesOf(database: BenchDatabase, list: List): Promise<Scene[]> {
  const trees = await database.query(sql<{ account: string; n: number; depth: number }>`
    select a.account, a.depth, coalesce(sum(s.n), 0)::bigint as n from agent a
    left join roll_sum s on s.noun = ${list.noun} and s.kind = 1 and s.key = a.id where a.deleted_at is null group by a.id order by 3 desc`);
  const named = (found: { account: string } | undefined): string => found?.account ?? 'agent1';
  const kinds = [
    ['huge tree', named(trees.find(({ depth }) => depth === 1))],
    ['16 levels deep', named(trees.find(({ depth }) => depth === 16))],
    ['small tree', named(trees.find(({ n }) => n > 0 && n < 30_000))],
    ['newborn', named(trees.at(-1))],
    ['dormant', DORMANT_ROOT],
  ] as const;
  const [span] = await database.query(
    sql<{ a: number; b: number }>`select min(w.created_at) as a, max(w.created_at) as b from ${list.from}`,
  );
  const [from, to] = [0.31, 0.77].map((part) => Math.round((span?.a ?? 0) + ((span?.b ?? 0) - (span?.a ?? 0)) * part));
  const within = sql`w.created_at between ${from} and ${to}`;
  const [quick, timed, sorted] = [{ one: 15, eight: 50 }, { one: 50 }, { one: 1_000 }];
  const all = { account: ADMIN.account, where: sql`true`, list };
  const [state, rare] = list.states;
  const [byUser, userColumn] = list.user;
  const user = (id: number) => sql`${sql.ref(userColumn)} = ${id}`;
  const every: Scene[] = [
    { ...all, name: 'everything', query: '', ...quick },
    { ...all, name: `everything, state ${state}`, query: `&state=${state}`, where: sql`w.state = ${state}`, ...quick },
    { ...all, name: `everything, state ${rare}`, query: `&state=${rare}`, where: sql`w.state = ${rare}`, ...quick },
    { ...all, name: 'heaviest user', query: '&account=user1', where: user(1), ...quick },
    { ...all, name: 'user of a few', query: `&${byUser}=40000`, where: user(40_000), ...quick },
    { ...all, name: 'one agent with those taken over', query: '&agent=agent2', where: shownAs('agent2'), ...quick },
    { ...all, name: 'everything, by time', query: '&sort=-createdAt', by: 'w.created_at', ...sorted },
    { ...all, name: 'everything, in time', query: `&from=${from}&to=${to}`, where: within, ...timed },
  ];
  for (const [name, account] of kinds) {
    const mine = { account, where: below(account), list };
    every.push({ ...mine, name, query: '', ...quick });
    every.push({ ...mine, name: `${name}, state ${state}`, query: `&state=${state}`, where: sql`${below(account)} and w.state = ${state}`, ...quick });
    every.push({ ...mine, name: `${name}, by time`, query: '&sort=-createdAt', by: 'w.created_at', ...sorted });
    every.push({ ...mine, name: `${name}, in time`, query: `&from=${from}&to=${to}`, where: sql`${below(account)} and ${within}`, ...timed });
  } // prettier-ignore
  const mine = { account: DORMANT_ROOT, where: below(DORMANT_ROOT), list };
  every.push({ ...mine, name: 'dormant, first page', query: '', one: 10, firstPage: true });
  return every;
}

/** The server has answered for a while then, as it has all day: what it runs most is compiled. */
async function work(port: number, { path }: List): Promise<void> {
  const token = await login(port, ADMIN.account, ADMIN.password);
  let left = scaled(2_000, 20);
  const next = (): string | undefined =>
    left-- > 0
      ? request('GET', `${API_BASE}${path}?page=${1 + (left % 1_000)}`, { token, accept: 'application/json' })
      : undefined;
  await drive({ port, connections: 8, next, check: ({ status, body }) => must(status === 200, body.slice(0, 300)) });
}

async function measure(database: BenchDatabase, port: number, scene: Scene): Promise<Figure[]> {
  const token = await login(port, scene.account, ADMIN.password);
  const bytesOf = (page: number): string =>
    request('GET', `${API_BASE}${scene.list.path}?page=${page}${scene.query}`, { token, accept: 'application/json' });
  const truth = await plainTotals(database, scene.list, scene.where);
  const { total } = truth;
  const last = scene.firstPage ? 1 : Math.max(1, Math.min(DEEP, Math.ceil(total / PAGE_SIZE)));
  const anyPage = (): number => 1 + Math.floor(Math.random() * last);
  for (const page of [1, last, anyPage(), anyPage()])
    await sameAsSql(database, port, scene, { page, truth, bytes: bytesOf(page) });
  const figures: Figure[] = [];
  for (const [connections, limit] of [[1, scene.one], [8, scene.eight]] as const) {
    if (limit === undefined) continue;
    const asked = (times: number) => {
      let left = times;
      return drive({
        port,
        connections,
        next: () => (left-- > 0 ? bytesOf(anyPage()) : undefined),
        check: ({ status, body }) => must(status === 200 && body.includes(`"total":${total}`), body.slice(0, 300)),
      });
    };
    // Each connection of the server has its plans then, as it has them all day.
    await asked(8 * connections);
    const { p50, p95, perSecond } = await asked((scene.times ?? ONE) * (connections > 1 ? 2 : 1));
    say(`${scene.name} (${total}), ${connections} at once: p50 ${p50.toFixed(1)} p95 ${p95.toFixed(1)} ms`);
    figures.push({
      name: `${scene.name}, ${total.toLocaleString('en')}${connections > 1 ? ', 8 at once' : ''}`,
      unit: 'ms p95',
      ours: p95,
      limit,
      against: 'the promise',
      goal: '≤ 1.00',
      detail: `p50 ${p50.toFixed(1)} ms, ${Math.round(perSecond)}/s`,
    });
  } // prettier-ignore
  return figures;
}

/** The page, the total and the sums are those of plain SQL, without any rollup. */
async function sameAsSql(
  database: BenchDatabase,
  port: number,
  scene: Scene,
  { page, truth, bytes }: { page: number; truth: { total: number; summary: object[] | undefined }; bytes: string },
): Promise<void> {
  const { data } = (await callOnce(port, bytes)) as unknown as { data: Page<{ id: number }, { count: number }> };
  const ids = await database.query(sql<{ id: number }>`
    select w.id from ${scene.list.from} where ${scene.where} order by ${scene.by ? sql`${sql.ref(scene.by)} desc,` : sql``} w.id desc limit ${PAGE_SIZE} offset ${(page - 1) * PAGE_SIZE}`);
  must(data.total === truth.total, `${scene.name}: a total of ${data.total} instead of ${truth.total}`);
  must(data.list.map(({ id }) => id).join() === ids.map(({ id }) => id).join(), `${scene.name}: page ${page}`);
  must(JSON.stringify(data.summary) === JSON.stringify(truth.summary), `${scene.name}: sums`);
}
