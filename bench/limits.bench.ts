/**
 * What one who means harm can do to the others: 500 logins at once, and calls that ask for more than there may be, while
 * somebody reads lists. Limit of the first: the same lists in the same run with nobody else there; of the second: with as
 * many others who ask for ordinary lists.
 *
 * And whether the time of a refused login tells if there is such an account. Limit: the median of those for accounts that
 * there are.
 */
import { existsSync } from 'node:fs';
import { API_BASE } from '@hengtai/contract/endpoint';
import { sql } from 'kysely';
import { BUILT, login, startServer } from './lib/child.ts';
import { ADMIN, type BenchDatabase } from './lib/database.ts';
import { Connection, request } from './lib/http.ts';
import { loadLists } from './lib/list-data.ts';
import { type Measured, drive, median, medianOf } from './lib/load.ts';
import type { Figure } from './lib/report.ts';
import { ROUNDS, bench, interleaved, must, say, scaled } from './lib/run.ts';

const READERS = 4;
const ROUND_MS = scaled(4_000);
const LOGINS = scaled(500, 10);
const ABUSERS = READERS;
/** Pairs of refused logins, one for an account that there is and one for none. */
const PAIRS = scaled(300, 10);
/** Fewer than an address may guess within an hour; then the bench takes its guesses away. */
const PAIRS_AT_ONCE = 50;

must(existsSync(BUILT), 'the built server is measured: npm run build first');
await bench('limits', async (database) => {
  await loadLists(database);
  const server = await startServer(database, {}, BUILT);
  try {
    const token = await login(server.port, ADMIN.account, ADMIN.password);
    const read = () => drive(readingOf(server.port, token));
    await read();
    const [alone, crowded, shared, abused]: [Measured[], Measured[], Measured[], Measured[]] = [[], [], [], []];
    const [turnedAway, refused]: [number[], Measured[]] = [[], []];
    await interleaved([
      async () => void alone.push(await read()),
      async () => {
        const [measured, away] = await Promise.all([read(), logins(server.port)]);
        crowded.push(measured);
        turnedAway.push(away);
        await forget(database);
      },
      async () => {
        const [measured] = await Promise.all([read(), read()]);
        shared.push(measured);
      },
      async () => {
        const [measured, ...others] = await Promise.all([read(), drive(abuseOf(server.port, token))]);
        abused.push(measured);
        refused.push(...others);
      },
    ]);
    const quiet = medianOf(alone);
    const timing = await timingOf(database, server.port);
    const beside = { shared: medianOf(shared), abused: medianOf(abused), refused: medianOf(refused) };
    return figuresOf(quiet, medianOf(crowded), median(turnedAway), beside, timing);
  } finally {
    await server.stop();
  }
});

function readingOf(port: number, token: string) {
  const until = performance.now() + ROUND_MS;
  const page = request('GET', `${API_BASE}withdraw/list?page=1&state=0`, { token, accept: 'application/json' });
  return {
    port,
    connections: READERS,
    next: () => (performance.now() > until ? undefined : page),
    check: ({ status, body }: { status: number; body: string }) => {
      must(status === 200 && body.startsWith('{"code":200,'), body.slice(0, 300));
    },
  };
}

function loginOf(account: string, password: string): string {
  return request('POST', `${API_BASE}login`, {}, JSON.stringify({ account, password }));
}

/** Each with the right password of another account, all at one moment; returns how many were told to come later. */
async function logins(port: number): Promise<number> {
  const connections = await Promise.all(Array.from({ length: LOGINS }, () => Connection.open(port)));
  const answers = await Promise.all(
    connections.map((connection, n) => connection.send(loginOf(`agent${n + 1}`, ADMIN.password))),
  );
  for (const connection of connections) connection.close();
  const codes = answers.map(({ body }) => (JSON.parse(body) as { code: number }).code);
  must(
    codes.every((code) => code === 200 || code === 429),
    'logins were answered otherwise',
  );
  return codes.filter((code) => code === 429).length;
}

/** In turns a page and a size of 10^9, 10^5 ids, and a body of 10 MB, of which the server takes a part. */
function abuseOf(port: number, token: string) {
  const until = performance.now() + ROUND_MS;
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
      return performance.now() > until ? undefined : kinds[turn % kinds.length];
    },
    check: ({ body }: { body: string }) => must(body.startsWith('{"code":4'), body.slice(0, 300)),
  };
}

async function forget(database: BenchDatabase): Promise<void> {
  await database.query(sql`delete from login_guard`);
}

interface Timing {
  known: number;
  unknown: number;
}

async function timingOf(database: BenchDatabase, port: number): Promise<Timing> {
  const connection = await Connection.open(port);
  const times = { known: [] as number[], unknown: [] as number[] };
  const take = async (kind: keyof Timing, n: number): Promise<void> => {
    const bytes = loginOf(kind === 'known' ? `agent${1 + (n % 400)}` : `nobody${1 + (n % 400)}`, 'not-the-password');
    const start = performance.now();
    const { body } = await connection.send(bytes);
    times[kind].push(performance.now() - start);
    must(body.startsWith('{"code":401,'), body.slice(0, 300));
  };
  try {
    for (let n = 0; n < PAIRS; n += 1) {
      if (n % PAIRS_AT_ONCE === 0) await forget(database);
      // In changing order, so that what comes second gains nothing by it.
      const order = n % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
      for (const kind of order) await take(kind, n);
    }
  } finally {
    connection.close();
  }
  return { known: median(times.known), unknown: median(times.unknown) };
}

function figuresOf(
  quiet: Measured,
  crowded: Measured,
  turnedAway: number,
  { shared, abused, refused }: Record<'shared' | 'abused' | 'refused', Measured>,
  timing: Timing,
): Figure[] {
  say(`${ROUNDS} rounds; ${turnedAway} of ${LOGINS} logins were told to come later`);
  const against = 'the same lists alone';
  const common = { unit: 'ms', limit: quiet.p99, against, goal: '≤ 2.00' };
  const p50 = ({ p50: value }: Measured): string => `p50 ${value.toFixed(1)} ms`;
  return [
    {
      ...common,
      name: `list p99, ${LOGINS} logins at once`,
      ours: crowded.p99,
      detail: `${turnedAway} told to come later; ${p50(crowded)}, alone ${p50(quiet)}`,
    },
    {
      ...common,
      name: 'list p99, absurd calls',
      ours: abused.p99,
      limit: shared.p99,
      against: 'beside as many ordinary lists',
      detail: `${Math.round(refused.perSecond)} refused a second, ${p50(refused)}`,
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
