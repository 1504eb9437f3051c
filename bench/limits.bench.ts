/**
 * Effect of abuse on other users: 500 logins at once, and calls with excessive input, while readers request lists. Limit of the
 * first: the same lists in the same run without other load; of the second: with as many readers of ordinary lists.
 *
 * Also whether the duration of a refused login reveals that an account exists. Limit: the median for existing accounts.
 */
import { existsSync } from 'node:fs';
import { API_BASE } from '@hengtai/contract/wire/endpoint';
import { sql } from 'kysely';
import { BUILT_SERVER, fetchToken, startServer } from './lib/child.ts';
import { ADMIN, type BenchDatabase } from './lib/database.ts';
import { Connection, request } from './lib/http.ts';
import { loadLists } from './lib/list-data.ts';
import { type LoadMeasurement, runLoad, median, medianOf } from './lib/load.ts';
import type { Figure } from './lib/report.ts';
import { ROUNDS, bench, runInterleaved, ensure, logProgress, scaleCount } from './lib/run.ts';

const READERS = 4;
const ROUND_MS = scaleCount(4_000);
const LOGINS = scaleCount(500, 10);
const ABUSERS = READERS;
/** Pairs of refused logins: one for an existing account, one for an unknown account. */
const PAIRS = scaleCount(300, 10);
/** Below the limit of failed logins per address; the benchmark then resets the counters. */
const PAIRS_AT_ONCE = 50;

ensure(existsSync(BUILT_SERVER), 'there is no built server: npm run build first');
await bench('limits', async (database) => {
  await loadLists(database);
  const server = await startServer(database, {}, BUILT_SERVER);
  try {
    const token = await fetchToken(server.port, ADMIN.account, ADMIN.password);
    const read = () => runLoad(readingLoadOf(server.port, token));
    await read();
    const [alone, crowded, shared, abused]: [
      LoadMeasurement[],
      LoadMeasurement[],
      LoadMeasurement[],
      LoadMeasurement[],
    ] = [[], [], [], []];
    const [refusedLogins, refused]: [number[], LoadMeasurement[]] = [[], []];
    await runInterleaved([
      async () => void alone.push(await read()),
      async () => {
        const [measured, refusals] = await Promise.all([read(), logInAtOnce(server.port)]);
        crowded.push(measured);
        refusedLogins.push(refusals);
        await resetLoginCounters(database);
      },
      async () => {
        const [measured] = await Promise.all([read(), read()]);
        shared.push(measured);
      },
      async () => {
        const [measured, ...others] = await Promise.all([read(), runLoad(abuseLoadOf(server.port, token))]);
        abused.push(measured);
        refused.push(...others);
      },
    ]);
    const quiet = medianOf(alone);
    const timing = await measureLoginTiming(database, server.port);
    const underLoad = { shared: medianOf(shared), abused: medianOf(abused), refused: medianOf(refused) };
    return figuresOf(quiet, medianOf(crowded), median(refusedLogins), underLoad, timing);
  } finally {
    await server.stop();
  }
});

function readingLoadOf(port: number, token: string) {
  const deadline = performance.now() + ROUND_MS;
  const page = request('GET', `${API_BASE}withdraw/list?page=1&state=0`, { token, accept: 'application/json' });
  return {
    port,
    connections: READERS,
    next: () => (performance.now() > deadline ? undefined : page),
    check: ({ status, body }: { status: number; body: string }) => {
      ensure(status === 200 && body.startsWith('{"code":200,'), body.slice(0, 300));
    },
  };
}

function loginOf(account: string, password: string): string {
  return request('POST', `${API_BASE}login`, {}, JSON.stringify({ account, password }));
}

/** Logs in to many accounts at once with correct passwords. Returns how many calls were refused with 429. */
async function logInAtOnce(port: number): Promise<number> {
  const connections = await Promise.all(Array.from({ length: LOGINS }, () => Connection.open(port)));
  const answers = await Promise.all(
    connections.map((connection, n) => connection.send(loginOf(`agent${n + 1}`, ADMIN.password))),
  );
  for (const connection of connections) connection.close();
  const codes = answers.map(({ body }) => (JSON.parse(body) as { code: number }).code);
  ensure(
    codes.every((code) => code === 200 || code === 429),
    'a login was answered with another code than 200 and 429',
  );
  return codes.filter((code) => code === 429).length;
}

/** Alternates a page number and a page size of 10^9 and a body with 10^5 ids, all of which must be refused. */
function abuseLoadOf(port: number, token: string) {
  const deadline = performance.now() + ROUND_MS;
  const ids = JSON.stringify({ ids: Array.from({ length: 100_000 }, (_, n) => n + 1) });
  const kinds = [
    request('GET', `${API_BASE}withdraw/list?page=${10 ** 9}`, { token }),
    request('GET', `${API_BASE}withdraw/list?size=${10 ** 9}`, { token }),
    request('POST', `${API_BASE}withdraw/pass/many`, { token }, ids),
  ];
  let turn = 0;
  return {
    port,
    connections: ABUSERS,
    next: () => {
      turn += 1;
      return performance.now() > deadline ? undefined : kinds[turn % kinds.length];
    },
    check: ({ body }: { body: string }) => ensure(body.startsWith('{"code":4'), body.slice(0, 300)),
  };
}

async function resetLoginCounters(database: BenchDatabase): Promise<void> {
  await database.query(sql`delete from login_guard`);
}

interface Timing {
  known: number;
  unknown: number;
}

async function measureLoginTiming(database: BenchDatabase, port: number): Promise<Timing> {
  const connection = await Connection.open(port);
  const times = { known: [] as number[], unknown: [] as number[] };
  const take = async (kind: keyof Timing, n: number): Promise<void> => {
    const bytes = loginOf(kind === 'known' ? `agent${1 + (n % 400)}` : `nobody${1 + (n % 400)}`, 'not-the-password');
    const start = performance.now();
    const { body } = await connection.send(bytes);
    times[kind].push(performance.now() - start);
    ensure(body.startsWith('{"code":401,'), body.slice(0, 300));
  };
  try {
    for (let n = 0; n < PAIRS; n += 1) {
      if (n % PAIRS_AT_ONCE === 0) await resetLoginCounters(database);
      // Alternates the order, so that neither kind profits from coming second.
      const order = n % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
      for (const kind of order) await take(kind, n);
    }
  } finally {
    connection.close();
  }
  return { known: median(times.known), unknown: median(times.unknown) };
}

function figuresOf(
  quiet: LoadMeasurement,
  crowded: LoadMeasurement,
  refusedLogins: number,
  { shared, abused, refused }: Record<'shared' | 'abused' | 'refused', LoadMeasurement>,
  timing: Timing,
): Figure[] {
  logProgress(`${ROUNDS} rounds; ${refusedLogins} of ${LOGINS} logins were refused with 429`);
  const against = 'the same lists alone';
  const common = { unit: 'ms', limit: quiet.p99, against, goal: '≤ 2.00' };
  const p50 = ({ p50: value }: LoadMeasurement): string => `p50 ${value.toFixed(1)} ms`;
  return [
    {
      ...common,
      name: `list p99, ${LOGINS} logins at once`,
      ours: crowded.p99,
      detail: `${refusedLogins} refused with 429; ${p50(crowded)}, alone ${p50(quiet)}`,
    },
    {
      ...common,
      name: 'list p99, excessive calls',
      ours: abused.p99,
      limit: shared.p99,
      against: 'with as many ordinary lists',
      detail: `${Math.round(refused.perSecond)} refused per second, ${p50(refused)}`,
    },
    {
      name: 'login, unknown account',
      unit: 'ms',
      ours: timing.unknown,
      limit: timing.known,
      against: 'known account',
      goal: '0.95–1.05',
      detail: `median of ${PAIRS} refused logins each`,
    },
  ];
}
