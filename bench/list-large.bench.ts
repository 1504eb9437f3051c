/**
 * Random pages of withdraw/list, fund/record and user/list with exact total and sums, over HTTP on the millions of rows of
 * `npm run bench:data`, for every kind of tree and filter. Buffers and server are warm. Every total and some pages of each
 * scene are compared with plain SQL.
 *
 * The baseline is Fastify and pg with a page of the same rows after a known id, without a total. One at a time, the figure is
 * the 95th percentile, and the limit is scaled by the machine: it is stated for a baseline whose median is 10 ms with eight at
 * once. With eight at once, the figure is the rate beside that of the baseline.
 */
import { API_BASE } from '@hengtai/contract/wire/endpoint';
import { PAGE_SIZE, type Page } from '@hengtai/contract/wire/list';
import { type RawBuilder, sql } from 'kysely';
import { callOnce, fetchToken, startBare } from './lib/child.ts';
import { ADMIN, type BenchDatabase } from './lib/database.ts';
import { request } from './lib/http.ts';
import { DORMANT_ROOT } from './lib/large-data.ts';
import {
  benchLargeData,
  comparedSums,
  type List,
  fills,
  inSubtree,
  withAccountPrefix,
  funds,
  userList,
  plainTotals,
  prewarm,
  isShownUnder,
  reviews,
  subscriptions,
  withdrawals,
} from './lib/large-lists.ts';
import { type LoadMeasurement, runLoad } from './lib/load.ts';
import type { Figure } from './lib/report.ts';
import { ensure, logProgress, scaleCount } from './lib/run.ts';

/** Measures only scenes with a matching name. */
const nameFilter = new RegExp(process.env['SCENES'] ?? '');
const REQUESTS = scaleCount(200, 20);
const LAST_PAGE_MAX = 1_000_000;
/** The median of the baseline, in milliseconds, for which the limits of the scenes are stated. */
const STATED_FOR = 10;
/** Keyset pages of the baseline. */
const KEYSET_PAGES = 200;

interface Scene {
  name: string;
  list: List;
  account: string;
  query: string;
  where: RawBuilder<unknown>;
  /** Limit of the 95th percentile in milliseconds, one at a time. */
  one: number;
  /** Also measured with eight at once. */
  eight?: true;
  onlyFirstPage?: true;
  requests?: number;
  /** Sort column, descending; without it rows are ordered by id. */
  sortColumn?: string;
}

await benchLargeData(async (database, port) => {
  const figures: Figure[] = [];
  let list: List | undefined;
  let baseline: LoadMeasurement | undefined;
  for (const scene of (await createAllScenes(database)).filter(({ name }) => nameFilter.test(name))) {
    if (scene.list !== list) {
      list = scene.list;
      await prewarm(database, list);
      await warmUp(port, list);
      baseline = await measureBaseline(database, list);
    }
    if (baseline) figures.push(...(await measure(database, port, scene, baseline)));
  }
  return figures;
});

async function createAllScenes(database: BenchDatabase): Promise<Scene[]> {
  const [withdrawn, recorded, registered] = [
    await createScenes(database, withdrawals),
    await createScenes(database, funds),
    await createScenes(database, userList),
  ];
  const all = { account: ADMIN.account, list: withdrawals };
  const dormant = { account: DORMANT_ROOT, list: withdrawals, where: inSubtree(DORMANT_ROOT) };
  return [
    ...withdrawn,
    { ...all, name: 'one coin', query: '&marketId=2&state=5', where: sql`w.market_id = 2 and w.state = 5`, one: 20, requests: 40 },
    { ...all, name: 'a rare coin, by amount', query: '&marketId=6&sort=-amount', where: sql`w.market_id = 6`, sortColumn: 'w.amount', one: 2_500, requests: 20 },
    { ...all, name: 'a rare coin, users by prefix', query: '&marketId=6&account=user1*&sort=-amount', where: sql`w.market_id = 6 and ${withAccountPrefix(withdrawals, 'user1')}`, sortColumn: 'w.amount', one: 2_500, requests: 20 },
    { ...all, name: 'a new coin', query: '&marketId=7', where: sql`w.market_id = 7`, one: 20, requests: 20 },
    { ...all, name: 'a risk', query: '&risk=first_address', where: sql`'first_address' = any(w.risk)`, one: 50, requests: 10 },
    { ...all, name: 'decided by one operator', query: '&by=agent7', where: sql`w.by_account = 'agent7'`, one: 300, requests: 40 },
    { ...all, name: 'users by prefix', query: '&account=user12*', where: withAccountPrefix(withdrawals, 'user12'), one: 300, requests: 40 },
    { ...dormant, name: 'dormant users by prefix', query: '&account=user1*', where: sql`${dormant.where} and ${withAccountPrefix(withdrawals, 'user1')}`, one: 300, requests: 40 },
    { ...all, list: funds, name: 'funds: a new coin', query: '&marketId=7', where: sql`w.market_id = 7`, one: 20, requests: 20 },
    { ...all, list: funds, name: 'funds: two types', query: '&types=3,4', where: sql`w.type in (3, 4)`, one: 20, requests: 20 },
    { ...all, list: funds, name: 'funds: of an operator', query: '&operator=agent7', where: sql`w.operator_id = 107`, one: 300, requests: 20 },
    { ...all, list: funds, name: 'funds: users by prefix', query: '&account=user12*', where: withAccountPrefix(funds, 'user12'), one: 300, requests: 40 },
    ...recorded.map((scene) => ({ ...scene, name: `funds: ${scene.name}` })),
    { ...all, list: userList, name: 'users: from an IP', query: '&ip=192.0.2.7', where: sql`w.id in (select user_id from user_login where ip = '192.0.2.7')`, one: 20, requests: 20 },
    { ...all, list: userList, name: 'users: may not trade', query: '&trade=0', where: sql`w.trade = 0`, one: 60, requests: 20 },
    { ...all, list: userList, name: 'users: may not subscribe', query: '&ieoBuy=0', where: sql`w.ieo_buy = 0`, one: 60, requests: 20 },
    ...registered.map((scene) => ({ ...scene, name: `users: ${scene.name}` })),
    { ...all, list: reviews, name: 'reviews: decided by one operator', query: '&by=agent7', where: sql`w.by_account = 'agent7'`, one: 2_500, requests: 10, onlyFirstPage: true },
    { ...all, list: subscriptions, name: 'subscriptions: decided by one operator', query: '&by=agent7', where: sql`w.by_account = 'agent7'`, one: 2_500, requests: 10, onlyFirstPage: true },
    { ...all, list: fills, name: 'fills: user with few rows', query: '&userId=40000', where: sql`w.user_id = 40000`, one: 60, requests: 20 },
  ]; // prettier-ignore
}

/** The scenes of every large list: by tree, by state and by time. */
async function createScenes(database: BenchDatabase, list: List): Promise<Scene[]> {
  const trees = await database.query(sql<{ account: string; n: number; depth: number }>`
    select a.account, a.depth, coalesce(s.n, 0) as n from agent a
    left join counter_scope s on s.resource = ${list.resource} and s.kind = 1 and s.key = a.id where a.deleted_at is null order by 3 desc`);
  const accountOf = (agent: { account: string } | undefined): string => agent?.account ?? 'agent1';
  const kinds = [
    ['huge tree', accountOf(trees.find(({ depth }) => depth === 1))],
    ['16 levels deep', accountOf(trees.find(({ depth }) => depth === 16))],
    ['small tree', accountOf(trees.find(({ n }) => n > 0 && n < 30_000))],
    ['newborn', accountOf(trees.at(-1))],
    ['dormant', DORMANT_ROOT],
  ] as const;
  const [span] = await database.query(
    sql<{ a: number; b: number }>`select min(w.created_at) as a, max(w.created_at) as b from ${list.from}`,
  );
  const [from, to] = [0.31, 0.77].map((part) => Math.round((span?.a ?? 0) + ((span?.b ?? 0) - (span?.a ?? 0)) * part));
  const inRange = sql`w.created_at between ${from} and ${to}`;
  const [quick, timed, other] = [{ one: 20, eight: true }, { one: 60 }, { one: 2_500 }] as const;
  const all = { account: ADMIN.account, where: sql`true`, list };
  const [state, rare] = list.states;
  const [byUser, userColumn] = list.user;
  const user = (id: number) => sql`${sql.ref(userColumn)} = ${id}`;
  const every: Scene[] = [
    { ...all, name: 'everything', query: '', ...quick },
    { ...all, name: `everything, state ${state}`, query: `&state=${state}`, where: sql`w.state = ${state}`, ...quick },
    { ...all, name: `everything, state ${rare}`, query: `&state=${rare}`, where: sql`w.state = ${rare}`, ...quick },
    { ...all, name: 'heaviest user', query: '&account==user1', where: user(1), ...quick },
    { ...all, name: 'user with few rows', query: `&${byUser}=40000`, where: user(40_000), ...quick },
    {
      ...all,
      name: 'an agent with deleted ones it succeeded',
      query: '&agent=agent2',
      where: isShownUnder('agent2'),
      ...quick,
    },
    { ...all, name: 'everything, by time', query: '&sort=-createdAt', sortColumn: 'w.created_at', ...other },
    { ...all, name: 'everything, in time', query: `&from=${from}&to=${to}`, where: inRange, ...timed },
  ];
  for (const [name, account] of kinds) {
    const scope = { account, where: inSubtree(account), list };
    every.push({ ...scope, name, query: '', ...quick });
    every.push({ ...scope, name: `${name}, state ${state}`, query: `&state=${state}`, where: sql`${inSubtree(account)} and w.state = ${state}`, ...quick });
    every.push({ ...scope, name: `${name}, by time`, query: '&sort=-createdAt', sortColumn: 'w.created_at', ...other });
    every.push({ ...scope, name: `${name}, in time`, query: `&from=${from}&to=${to}`, where: sql`${inSubtree(account)} and ${inRange}`, ...timed });
  } // prettier-ignore
  const scope = { account: DORMANT_ROOT, where: inSubtree(DORMANT_ROOT), list };
  every.push({ ...scope, name: 'dormant, first page', query: '', one: 20, onlyFirstPage: true });
  return every;
}

/** Warms up the server, so that its hot code is compiled. */
async function warmUp(port: number, { path }: List): Promise<void> {
  const token = await fetchToken(port, ADMIN.account, ADMIN.password);
  let remaining = scaleCount(2_000, 20);
  const next = (): string | undefined =>
    remaining-- > 0
      ? request('GET', `${API_BASE}${path}?page=${1 + (remaining % 1_000)}`, { token, accept: 'application/json' })
      : undefined;
  await runLoad({
    port,
    connections: 8,
    next,
    check: ({ status, body }) => ensure(status === 200, body.slice(0, 300)),
  });
}

/** The baseline with eight at once. */
async function measureBaseline(database: BenchDatabase, { from, path, user }: List): Promise<LoadMeasurement> {
  const after = await database.query(sql<{ id: number }>`
    select (random() * last)::bigint as id from (select max(w.id) as last from ${from}) m, generate_series(1, ${KEYSET_PAGES})`);
  const { sql: text } = sql`
    select w.*, u.account, g.shown from ${from} left join users u on u.id = ${sql.ref(user[1])} left join agent g on g.id = w.agent_id
    where w.id < ${0}::bigint order by w.id desc limit ${sql.lit(PAGE_SIZE)}`.compile(database.db);
  const bare = await startBare({
    url: database.ownerUrl,
    connections: 8,
    pages: after.map(({ id }) => [{ text, values: [id] }]),
  });
  const load = (requests: number): Promise<LoadMeasurement> => {
    let remaining = requests;
    const next = () =>
      remaining-- > 0 ? request('GET', `/${remaining % KEYSET_PAGES}`, { accept: 'application/json' }) : undefined;
    return runLoad({
      port: bare.port,
      connections: 8,
      next,
      check: ({ status }) => ensure(status === 200, 'baseline'),
    });
  };
  try {
    await load(scaleCount(2_000, 20));
    const measured = await load(scaleCount(4_000, 20));
    logProgress(`${path}, baseline: p50 ${measured.p50.toFixed(1)} ms, ${Math.round(measured.perSecond)}/s`);
    return measured;
  } finally {
    await bare.stop();
  }
}

async function measure(
  database: BenchDatabase,
  port: number,
  scene: Scene,
  baseline: LoadMeasurement,
): Promise<Figure[]> {
  const token = await fetchToken(port, scene.account, ADMIN.password);
  const bytesOf = (page: number): string =>
    request('GET', `${API_BASE}${scene.list.path}?page=${page}${scene.query}`, { token, accept: 'application/json' });
  const truth = await plainTotals(database, scene.list, scene.where);
  const { total } = truth;
  const last = scene.onlyFirstPage ? 1 : Math.max(1, Math.min(LAST_PAGE_MAX, Math.ceil(total / PAGE_SIZE)));
  const anyPage = (): number => 1 + Math.floor(Math.random() * last);
  for (const page of [1, last, anyPage(), anyPage()])
    await compareWithSql(database, port, scene, { page, truth, bytes: bytesOf(page) });
  const figures: Figure[] = [];
  for (const connections of scene.eight ? [1, 8] : [1]) {
    const requestPages = (count: number) => {
      let remaining = count;
      return runLoad({
        port,
        connections,
        next: () => (remaining-- > 0 ? bytesOf(anyPage()) : undefined),
        check: ({ status, body }) => ensure(status === 200 && body.includes(`"total":${total}`), body.slice(0, 300)),
      });
    };
    // Warms the plan cache of each of the server's connections.
    await requestPages(8 * connections);
    const { p50, p95, perSecond } = await requestPages((scene.requests ?? REQUESTS) * connections);
    logProgress(`${scene.name} (${total}), ${connections} connections: p50 ${p50.toFixed(1)} p95 ${p95.toFixed(1)} ms`);
    const detail = `p50 ${p50.toFixed(1)} p95 ${p95.toFixed(1)} ms, ${Math.round(perSecond)}/s`;
    const name = `${scene.name}, ${total.toLocaleString('en')}${connections > 1 ? ', 8 at once' : ''}`;
    figures.push(
      connections === 1
        ? { name, unit: 'ms p95', ours: p95, limit: (scene.one * baseline.p50) / STATED_FOR, against: 'target for this machine', goal: '≤ 1.00', detail }
        : { name, unit: 'pages/s', ours: perSecond, limit: baseline.perSecond, against: 'bare keyset page', goal: '≥ 0.40', detail },
    ); // prettier-ignore
  }
  return figures;
}

/** Throws unless page, total and sums equal those of plain SQL without counters. */
async function compareWithSql(
  database: BenchDatabase,
  port: number,
  scene: Scene,
  { page, truth, bytes }: { page: number; truth: { total: number; summary: object[] | undefined }; bytes: string },
): Promise<void> {
  const { data } = (await callOnce(port, bytes)) as unknown as { data: Page<{ id: number }, { count: number }> };
  const ids = await database.query(sql<{ id: number }>`
    select w.id from ${scene.list.from} where ${scene.where} order by ${scene.sortColumn ? sql`${sql.ref(scene.sortColumn)} desc,` : sql``} w.id desc limit ${PAGE_SIZE} offset ${(page - 1) * PAGE_SIZE}`);
  ensure(data.total === truth.total, `${scene.name}: a total of ${data.total} instead of ${truth.total}`);
  ensure(data.list.map(({ id }) => id).join() === ids.map(({ id }) => id).join(), `${scene.name}: page ${page}`);
  ensure(
    JSON.stringify(comparedSums(scene.list, data.summary)) === JSON.stringify(truth.summary),
    `${scene.name}: sums`,
  );
}
