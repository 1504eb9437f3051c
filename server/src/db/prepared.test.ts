import { ABILITY } from '@hengtai/contract/ability';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestOperator, makeOperator, makeUser, makeWithdraw } from '../../test/factories.ts';
import { type TestServer, call, login, testServer } from '../../test/server.ts';
import { type Db, scoped } from './connect.ts';

/** From the sixth time on PostgreSQL may keep one plan for whatever values. */
const OFTEN = 8;
let server: TestServer;
let operator: TestOperator;
beforeAll(async () => {
  server = await testServer({ jobs: false });
  const admin = await login(server);
  operator = await makeOperator(server, admin, { abilities: [ABILITY.withdraw] });
  for (let n = 0; n < OFTEN; n += 1) {
    const user = await makeUser(server, { agent: operator.account, amount: '100' });
    const { id } = await makeWithdraw(server, admin, user);
    const options = { token: operator.token, key: `key-${n}` };
    expect(await call(server, 'POST', 'withdraw/pass', { id }, options)).toMatchObject({ code: 200 });
    await call(server, 'GET', 'withdraw/list', { state: 2 }, { token: operator.token });
  }
});
afterAll(() => server.stop());

interface Plan {
  statement: string;
  times: number;
  plan: string;
}

/**
 * The plan for whatever values of each statement that the connection used last has kept. Reading a table as a whole is made as
 * dear as can be: where it is planned nevertheless there is no other way.
 */
async function plansOf(pool: Db): Promise<Plan[]> {
  return scoped(pool, { kind: 'agents', ids: [operator.id] }, operator.id, async (db) => {
    await sql`set local plan_cache_mode = force_generic_plan`.execute(db);
    await sql`set local enable_seqscan = off`.execute(db);
    // Tables were small when they were planned first.
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

test('what a decision sends again and again is found by a key, whatever the values', async () => {
  const plans = [...(await plansOf(server.app.requests)), ...(await plansOf(server.app.system))];
  const often = plans.filter(({ times }) => times >= OFTEN);
  const planOf = (text: string) => often.find(({ statement }) => statement.includes(text))?.plan;
  for (const text of ['insert into idempotency', 'insert into command', 'insert into audit', 'update withdraw'])
    expect(planOf(text), text).toBeDefined();
  for (const text of ['from roll_grid', '"w"."id" = any(', 'first_address']) expect(planOf(text), text).toBeDefined();
  expect(planOf('"w"."id" = any(')).toContain('Index Cond: (id = ANY (');
  expect(planOf('from session_token t')).toContain('Index Cond: (hash = $');
  expect(planOf('insert into policy_use')).toMatch(/Index Cond: \(.*user_id = \$/);
  const whole = often.flatMap(({ statement, plan }) =>
    [...plan.matchAll(/Seq Scan on (\w+)/g)].map(([, table]) => ({ table, statement })),
  );
  // Two have one row; of the third everybody reads what was not added up yet, which is little and goes within seconds.
  const few = ['installation', 'tree_version', 'roll_delta'];
  expect(whole.filter(({ table }) => !few.includes(table ?? ''))).toEqual([]);
});
