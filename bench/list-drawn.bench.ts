/**
 * Combinations of the declared filters, time, order and operator, drawn by lot, on the lists whose millions of rows
 * `npm run bench:data` made, through HTTP. The figure is the slowest page of all of them; its limit is what any combination may
 * take. Every total, sum and page is compared with plain SQL. SEED=<number> draws others; QUERY=<part> takes only some.
 */
import { API_BASE } from '@hengtai/contract/endpoint';
import type { Envelope } from '@hengtai/contract/envelope';
import { ledgerEntry } from '@hengtai/contract/ledger-entry';
import { type Filter, type ListSpec, PAGE_SIZE, type Page, SORT_ROWS_MAX } from '@hengtai/contract/list';
import { user } from '@hengtai/contract/user';
import { withdraw } from '@hengtai/contract/withdraw';
import { type RawBuilder, sql } from 'kysely';
import { login } from './lib/child.ts';
import { ADMIN, type BenchDatabase } from './lib/database.ts';
import { Connection, request } from './lib/http.ts';
import { AGENTS, DORMANT_ROOT, USERS } from './lib/large-data.ts';
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
import { MARKETS, seeded } from './lib/large-rows.ts';
import type { Figure } from './lib/report.ts';
import { must, say, scaled } from './lib/run.ts';

const DRAWN = scaled(200, 10);
const LIMIT_MS = 1_000;
const only = process.env['QUERY'] ?? '';
const random = seeded(Number(process.env['SEED'] ?? '2026'));
const upTo = (n: number): number => Math.floor(random() * n);
const oneOf = <T>(of: readonly T[]): T => of[upTo(of.length)] as T;
/** Mostly a small number, as the first agents and users have most rows. */
const early = (n: number): number => Math.floor(n ** random()) || 1;

/** The accounts that ask: everybody's rows, many levels with most of them, few, and the oldest only. */
const ASKING = [ADMIN.account, ADMIN.account, 'agent1', 'agent16', 'agent300', DORMANT_ROOT];

interface Drawn {
  list: List;
  account: string;
  query: string;
  where: RawBuilder<unknown>;
  order: RawBuilder<unknown>;
  /** Ordered by a field that only few rows may be ordered by. */
  sorted: boolean;
}

await onLarge(async (database, port) => {
  const figures: Figure[] = [];
  for (const [list, spec] of [[withdrawals, withdraw.list.list], [funds, ledgerEntry.record.list], [people, user.list.list]] as const)
    figures.push(await measure(database, port, list, spec)); // prettier-ignore
  return figures;
});

async function measure(database: BenchDatabase, port: number, list: List, spec: ListSpec): Promise<Figure> {
  await readIn(database, list);
  const tokens = new Map<string, string>();
  for (const account of ASKING) tokens.set(account, await login(port, account, ADMIN.password));
  const worst: { ms: number; what: string }[] = [];
  for (let n = 0; n < DRAWN; n += 1) {
    const drawn = await draw(database, list, spec);
    if (!drawn.query.includes(only)) continue;
    const found = await slowest(database, port, drawn, tokens.get(drawn.account) ?? '');
    worst.push({ ...found, what: `${drawn.account} ${drawn.query}` });
    if (found.ms > LIMIT_MS / 2)
      say(`${list.path} ${drawn.account} ${drawn.query}: ${found.what}, ${found.ms.toFixed(0)} ms`);
  }
  worst.sort((a, b) => b.ms - a.ms);
  const over = worst.filter(({ ms }) => ms > LIMIT_MS).length;
  const at = (part: number): string => (worst[Math.floor(worst.length * part)]?.ms ?? 0).toFixed(0);
  say(`${list.path}: ${worst.length} drawn, ${over} over ${LIMIT_MS} ms`);
  return {
    name: `${list.path}: ${worst.length} combinations`,
    unit: 'ms at most',
    ours: worst[0]?.ms ?? 0,
    limit: LIMIT_MS,
    against: 'the promise',
    goal: '≤ 1.00',
    detail: `half ${at(0.5)}, nine in ten ${at(0.1)} ms; ${worst[0]?.what ?? ''}`,
  };
}

/** The first page, the last and two others, each as plain SQL has it; how long the slowest took, and what was found. */
async function slowest(
  database: BenchDatabase,
  port: number,
  { list, query, where, order, sorted }: Drawn,
  token: string,
): Promise<{ ms: number; what: string }> {
  const { total, summary } = await plainTotals(database, list, where);
  const last = Math.max(1, Math.ceil(total / PAGE_SIZE));
  let ms = 0;
  for (const page of new Set([1, last, 1 + upTo(last), 1 + upTo(last)])) {
    const began = performance.now();
    const answer = await ask(port, request('GET', `${API_BASE}${list.path}?page=${page}${query}`, { token, accept: 'application/json' })); // prettier-ignore
    ms = Math.max(ms, performance.now() - began);
    if (sorted && total > SORT_ROWS_MAX) {
      must(answer.code === 422, `${query}: ${total} rows in that order were not refused`);
      continue;
    }
    const data = answer.data as Page<{ id: number }, { count: number }>;
    must(data.total === total, `${query}: a total of ${data.total} instead of ${total}`);
    if (page === 1) must(JSON.stringify(data.summary) === JSON.stringify(summary), `${query}: sums`);
    const ids = await database.query(sql<{ id: number }>`
      select w.id from ${list.from} where ${where} order by ${order} limit ${PAGE_SIZE} offset ${(page - 1) * PAGE_SIZE}`);
    must(data.list.map(({ id }) => id).join() === ids.map(({ id }) => id).join(), `${query}: page ${page}`);
  }
  return { ms, what: `${total.toLocaleString('en')} rows` };
}

async function ask(port: number, bytes: string): Promise<Envelope> {
  const connection = await Connection.open(port);
  try {
    return JSON.parse((await connection.send(bytes)).body) as Envelope;
  } finally {
    connection.close();
  }
}

async function draw(database: BenchDatabase, list: List, spec: ListSpec): Promise<Drawn> {
  const account = oneOf(ASKING);
  const filters = spec.filters.filter((filter) => random() < (isBroad(filter) ? 2.2 : 0.3) / spec.filters.length);
  const parts = [];
  for (const filter of filters) parts.push(await drawValue(database, list, filter, account));
  if (random() < 0.25) parts.push(await drawTimes(database, list));
  const field = random() < 0.5 ? undefined : oneOf(['id', 'createdAt', 'createdAt', ...(spec.sortable ?? [])]);
  const descending = field === undefined || random() < 0.5;
  const direction = descending ? sql`desc` : sql`asc`;
  const column = sql.ref(columnOf(field ?? 'id'));
  return {
    list,
    account,
    query: parts.map(([query]) => query).join('') + (field === undefined ? '' : `&sort=${descending ? '-' : ''}${field}`),
    where: sql.join([account === ADMIN.account ? sql`true` : below(account), ...parts.map(([, where]) => where)], sql` and `),
    order: field === undefined || field === 'id' ? sql`w.id ${direction}` : sql`${column} ${direction} nulls last, w.id ${direction}`,
    sorted: spec.sortable?.includes(field ?? '') ?? false,
  }; // prettier-ignore
}

/** Whether many rows may have the same of it. */
function isBroad({ kind, options, field }: Filter): boolean {
  return kind !== 'eq' || options !== undefined || field === 'marketId';
}

function columnOf(field: string): string {
  return `w.${field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
}

/** A part of the address, and the same in plain SQL. */
type Part = readonly [query: string, where: RawBuilder<unknown>];

async function drawValue(
  database: BenchDatabase,
  list: List,
  { field, kind, options }: Filter,
  asking: string,
): Promise<Part> {
  const column = sql.ref(columnOf(field));
  if (kind === 'prefix') {
    const text = `user${early(USERS)}`.slice(0, 4 + upTo(5));
    return [`&account=${text}*`, beginning(list, text)];
  }
  if (kind === 'agent' || kind === 'subtree') {
    const agent = early(AGENTS);
    // An agent outside of the tree has nothing below it, as far as is told.
    const seen = sql`exists (select from closure c join agent a on a.id = c.ancestor join agent d on d.id = c.descendant
      where a.account = ${asking} and d.id = ${100 + agent} and d.deleted_at is null)`;
    const where = kind === 'agent' ? shownAs(`agent${agent}`) : sql`${below(`agent${agent}`)} and ${seen}`;
    return [`&${field}=agent${agent}`, where];
  }
  if (options) {
    const value = oneOf(Object.keys(options));
    return [`&${field}=${value}`, kind === 'has' ? sql`${value} = any(w.risk)` : sql`${column} = ${value}`];
  }
  // Drawn from the rows alone, it would hardly ever be one that few have.
  if (field === 'marketId' && random() < 0.5) {
    const market = 1 + upTo(MARKETS + 1);
    return [`&${field}=${market}`, sql`${column} = ${market}`];
  }
  const [row] = await database.query(sql<{ value: string | number }>`
    select ${column} as value from ${list.from} where w.id = (select (min(id) + (max(id) - min(id)) * ${random()}::float8)::bigint from ${sql.raw(tableOf(list))})`);
  // Nothing is no filter.
  const value = row === undefined || row.value === '' ? 1 : row.value;
  return [`&${field}=${value}`, sql`${column} = ${value}`];
}

function tableOf({ noun }: List): string {
  return { 1: 'withdraw', 3: 'entry' }[noun] ?? 'users';
}

async function drawTimes(database: BenchDatabase, list: List): Promise<Part> {
  const [span] = await database.query(sql<{ a: number; b: number }>`
    select min(created_at) as a, max(created_at) as b from ${sql.raw(tableOf(list))}`);
  const { a, b } = span ?? { a: 0, b: 0 };
  const [from = a, to = b] = [random(), random()]
    .map((part) => Math.round(a + (b - a) * part))
    .toSorted((x, y) => x - y);
  return [`&from=${from}&to=${to}`, sql`w.created_at between ${from} and ${to}`];
}
