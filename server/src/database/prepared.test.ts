import { ABILITY } from '@hengtai/contract/authority/ability';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { type TestOperator, makeOperator, makeUser, makeWithdraw } from '../../test/factories.ts';
import { call, login, provideServer } from '../../test/server.ts';
import { type Db, openPool, preparedLatest, runInScope } from './connect.ts';

/** PostgreSQL may switch to a generic plan from the sixth execution on. */
const EXECUTIONS = 8;
/** Connections of the pools of a test server. */
const MAX = { requests: 12, system: 8 };
const server = provideServer({ jobs: false, prepare: true });
let operator: TestOperator;
beforeAll(async () => {
  const admin = await login(server);
  operator = await makeOperator(server, admin, { abilities: [ABILITY.withdraw] });
  for (let n = 0; n < EXECUTIONS; n += 1) {
    const user = await makeUser(server, { agent: operator.account, amount: '100' });
    const { id } = await makeWithdraw(server, admin, user);
    const options = { token: operator.token, key: `key-${n}` };
    expect(await call(server, 'POST', 'withdraw/pass', { id }, options)).toMatchObject({ code: 200 });
    await call(server, 'GET', 'withdraw/list', { state: 2 }, { token: operator.token });
  }
});

interface Plan {
  statement: string;
  times: number;
  plan: string;
}

/**
 * Fetches the generic plans of the prepared statements of the pool's connection. Sequential scans are disabled, so that a
 * plan has one only if there is no alternative.
 */
async function fetchPlans(pool: Db): Promise<Plan[]> {
  return runInScope(pool, { kind: 'agents', ids: [operator.id] }, operator.id, async (db) => {
    await sql`set local plan_cache_mode = force_generic_plan`.execute(db);
    await sql`set local enable_seqscan = off`.execute(db);
    // Replans, because the tables were small when the statements were first planned.
    await sql`discard plans`.execute(db);
    const { rows } = await sql<{ name: string; statement: string; count: number; times: number }>`
      select name, statement, cardinality(parameter_types) as count, generic_plans + custom_plans as times
      from pg_prepared_statements where name <> ''`.execute(db);
    const plans: Plan[] = [];
    for (const { name, statement, count, times } of rows) {
      const values = count === 0 ? '' : `(${Array.from({ length: count }, () => 'null').join(', ')})`;
      const lines = await sql<
        Record<string, string>
      >`${sql.raw(`explain (costs off) execute ${name}${values}`)}`.execute(db);
      plans.push({ statement, times, plan: lines.rows.flatMap((row) => Object.values(row)).join('\n') });
    }
    return plans;
  });
}

test('generic plans of frequent statements use an index', async () => {
  // Executions are spread over the connections of a pool, one of which may still be ending its last transaction.
  const { requests, system } = server.app;
  const pools = [
    ...Array.from({ length: MAX.requests }, () => requests),
    ...Array.from({ length: MAX.system }, () => system),
  ];
  const all = await Promise.all(pools.map(fetchPlans));
  const byStatement = new Map<string, Plan>();
  for (const plan of all.flat()) {
    const times = plan.times + (byStatement.get(plan.statement)?.times ?? 0);
    byStatement.set(plan.statement, { ...plan, times });
  }
  const frequent = [...byStatement.values()].filter(({ times }) => times >= EXECUTIONS);
  const planOf = (text: string) => frequent.find(({ statement }) => statement.includes(text))?.plan;
  for (const text of ['insert into idempotency', 'insert into command', 'insert into audit', 'update withdraw'])
    expect(planOf(text), text).toBeDefined();
  expect(planOf('first_address'), 'first_address').toBeDefined();
  expect(planOf('from session_token t')).toContain('Index Cond: (hash = $');
  expect(planOf('insert into policy_use')).toMatch(/Index Cond: \(.*user_id = \$/);
  const seqScans = frequent.flatMap(({ statement, plan }) =>
    [...plan.matchAll(/Seq Scan on (\w+)/g)].map(([, table]) => ({ table, statement })),
  );
  // The first two have one row; counter_delta has only rows that are not compacted yet.
  const smallTables = ['installation', 'tree_version', 'counter_delta'];
  expect(seqScans.filter(({ table }) => !smallTables.includes(table ?? ''))).toEqual([]);
});

test('a connection keeps the latest text only of a statement whose text changes', async () => {
  const onError = (): void => undefined;
  const { db, end } = openPool({ url: server.urls.app, max: 1, name: 'test-latest', prepare: true, onError });
  for (const n of [1, 2, 2]) {
    expect((await sql`${preparedLatest}select ${sql.lit(n)} as n`.execute(db)).rows).toEqual([{ n }]);
  }
  const { rows } = await sql`select statement, generic_plans + custom_plans as times from pg_prepared_statements
    where statement like '%prepared latest%' and name <> ''`.execute(db);
  expect(rows).toEqual([{ statement: '/* prepared latest */ select 2 as n', times: 2 }]);
  await end();
});
