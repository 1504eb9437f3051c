/**
 * A proof of solvency of 100,000 users: how long the server takes to make it, and what `scripts/verify-solvency.mjs` takes to
 * verify all of it. The limit is the time of hashing its leaves alone, three times.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { verify } from '../scripts/verify-solvency.mjs';
import { makeLiabilities } from '../server/src/domains/desk/report/liability.jobs.ts';
import { ownerOf } from '../server/src/domains/desk/report/liability-tree.ts';
import { fetchLeaves, findSolvency } from '../server/src/domains/desk/report/solvency.store.ts';
import { startRecorder } from './lib/capture.ts';
import { type BenchDatabase, vacuumAndAnalyze } from './lib/database.ts';
import { bench, ensure, logProgress, runInterleaved, scaleCount } from './lib/run.ts';

const USERS = scaleCount(100_000, 100);
const COINS = 5;
/** Balances of a user are of this share of the coins. */
const HELD = 0.5;
const GOAL = 3;

await bench('solvency', async (database) => {
  await loadBalances(database);
  await vacuumAndAnalyze(database);
  const recorder = await startRecorder(database);
  const { app } = recorder;
  try {
    const started = performance.now();
    await makeLiabilities(app, new AbortController().signal);
    const made = (performance.now() - started) / 1_000;
    logProgress(`made in ${made.toFixed(1)} s`);
    const [row] = await database.query(sql<{ id: number; matches: number }>`select id, matches from liability`);
    ensure(row?.matches === 1, 'the proof does not agree with the ledger');
    const statement = await findSolvency(app.system, row.id);
    const stored = await fetchLeaves(app.system, row.id, 0, USERS);
    const rows = stored
      .toSorted((a, b) => a.index - b.index)
      .map(({ salt, account, amounts }) => [ownerOf(salt, account), ...amounts]);
    ensure(rows.length === USERS && statement !== undefined, `the proof has ${rows.length} leaves`);
    const leaves = rows.map((leaf) => JSON.stringify(leaf));
    const names = statement.liabilities.totals.map(({ marketName }) => marketName);
    const times = { ours: [] as number[], limit: [] as number[] };
    await runInterleaved([
      async () => {
        const before = performance.now();
        const { users } = verify({ statement, key: app.auditKey.fingerprint, leaves });
        times.ours.push(performance.now() - before);
        ensure(users === USERS, 'the verifier has read something else');
      },
      async () => {
        const before = performance.now();
        for (const [index, leaf] of rows.entries()) hashLeaf(row.id, index, leaf, names);
        times.limit.push(performance.now() - before);
      },
    ]);
    return [
      {
        name: `solvency, verify ${USERS.toLocaleString('en')} users`,
        unit: 'ms',
        ours: medianOf(times.ours),
        limit: medianOf(times.limit),
        against: 'hashing the leaves',
        goal: `≤ ${GOAL}.00`,
        detail: `made by the server in ${made.toFixed(1)} s`,
      },
    ];
  } finally {
    await recorder.end();
  }
});

function medianOf(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
}

/** A leaf by rule 1 of docs/liability.md. */
function hashLeaf(
  id: number,
  index: number,
  [owner = '', ...amounts]: readonly string[],
  names: readonly string[],
): string {
  const balances = names.flatMap((name, at) => [name, amounts[at] ?? '']);
  const fields = [
    'hengtai.liability',
    '1',
    'leaf',
    String(id),
    String(index),
    owner,
    String(names.length),
    ...balances,
  ];
  let text = '';
  for (const field of fields) text += `${Buffer.byteLength(field)}\n${field}`;
  return createHash('sha256').update(text).digest('hex');
}

/** Users with balances of some coins, what the house owes for them, and the request of a proof. */
async function loadBalances(database: BenchDatabase): Promise<void> {
  const now = Date.now();
  await database.query(sql`
    insert into users (account, agent_id, created_at, recorded_at, updated_at)
    select 'user' || n, 1, ${now}, ${now}, ${now} from generate_series(1, ${USERS}::int) n`);
  await database.query(sql`select setseed(0.5)`);
  await database.query(sql`
    insert into account (owner, owner_id, user_id, agent_id, market_id, platform, bucket, balance, created_at)
    select 'user', u.id, u.id, 1, m.id, 1, 'active', round((random() * 1e5)::numeric, 8) + 0.00000001, ${now}
    from users u cross join (select id from market order by id limit ${COINS}) m where random() < ${HELD}`);
  await database.query(sql`
    insert into account (owner, owner_id, market_id, platform, bucket, balance, created_at)
    select 'custody', 0, market_id, 0, 'active', -sum(balance), ${now} from account group by market_id`);
  await database.query(sql`
    insert into liability (operator_id, operator, version, created_at, updated_at) values (1, 'admin', 1, ${now}, ${now})`);
}
