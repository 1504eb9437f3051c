import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { compactCounters, rebuildCounters } from '../src/lists/counters.ts';
import { findLeaks } from './matrix-run.ts';
import { type RlsWorld, openRlsWorld } from './rls-database.ts';

let rls: RlsWorld;

beforeAll(async () => {
  rls = await openRlsWorld();
});
afterAll(() => rls.close());

test('shows no row of any table without a scope', async () => {
  const nonEmptyTables: string[] = [];
  for (const name of await rls.fetchTables()) {
    const [all] = await rls.server.query(sql<{ n: number }>`select count(*) as n from ${sql.table(name)}`);
    if ((all?.n ?? 0) > 0) nonEmptyTables.push(name);
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(rls.db);
    expect([name, rows]).toEqual([name, []]);
  }
  expect(nonEmptyTables).toEqual(
    expect.arrayContaining(['users', 'entry', 'leg', 'transfer', 'withdraw', 'audit', 'session', 'command', 'config']),
  );
});

test('has row-level security on every table', async () => {
  const unprotected = await rls.server.query(
    sql`select c.relname from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relrowsecurity`,
  );
  expect(unprotected).toEqual([]);
  // Views run with the privileges of the owner, so the app role must not read any.
  const views = await rls.server.query(
    sql`select c.relname from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('v', 'm', 'f')
      and has_table_privilege(${inject('cluster').appRole}, c.oid, 'select, insert, update, delete')`,
  );
  expect(views).toEqual([]);
});

/** Excludes export rows of the audit log: their filters contain words that the operator typed. */
const excludeTypedWords = (table: string) => (table === 'audit' ? sql`t.action <> 'export'` : sql`true`);

test('shows a tree no word of another tree in any table', async () => {
  for (const name of await rls.fetchTables()) {
    const { rows } = await rls.asOwn((trx) =>
      sql<{ text: string }>`select t::text as text from ${sql.table(name)} t where ${excludeTypedWords(name)}`.execute(
        trx,
      ),
    );
    const text = rows.map((row) => row.text).join('\n');
    // Rows written by an operator above contain that operator's account.
    const superior = rls.world.places.parent.agent.account;
    expect([name, findLeaks(rls.world, 'own', text.replaceAll(superior, ''))]).toEqual([name, []]);
  }
});

test('shows a tree only its own counters', async () => {
  const { own, child } = rls.world.places;
  const mine = [own.agent.id, child.agent.id];
  await rls.server.query(sql`update counter_limit set total_rows = 0, large_rows = 0, block_rows = 0`);
  await rebuildCounters(rls.server.owner);
  await rls.server.query(sql`update users set state = 1 - state`);
  const users = await rls.server.query(
    sql<{ id: number }>`select id from users where agent_id = any(${mine}::bigint[])`,
  );
  for (const table of ['counter', 'counter_scope', 'counter_delta']) {
    const columns = table === 'counter_delta' ? sql`1 as kind, agent_key as key` : sql`kind, key`;
    const { rows } = await rls.asOwn((trx) =>
      sql<{ kind: number; key: number }>`select ${columns} from ${sql.table(table)}`.execute(trx),
    );
    const foreign = rows.filter(
      ({ kind, key }) => !(kind === 3 ? users.some(({ id }) => id === key) : mine.includes(key)),
    );
    expect([table, foreign]).toEqual([table, []]);
    expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(table === 'counter_delta' ? [1] : [1, 2, 3]));
  }
  await rls.server.query(sql`update users set state = 1 - state`);
  await compactCounters(rls.server.app);
  await rls.server.query(sql`update withdraw set amount = amount + 1`);
  for (const table of ['counter_address', 'counter_address_delta']) {
    const { rows } = await rls.asOwn((trx) =>
      sql<{
        user: number;
        agent: number;
      }>`select user_key as user, agent_key as agent from ${sql.table(table)}`.execute(trx),
    );
    expect([table, new Set(rows.map(({ agent }) => mine.includes(agent)))]).toEqual([table, new Set([true])]);
    expect(rows.every(({ user }) => users.some(({ id }) => id === user))).toBe(true);
  }
  await rls.server.query(sql`update withdraw set amount = amount - 1`);
});

test('gives the app role only the privileges that it needs', async () => {
  const [role] = await sql<Record<string, boolean>>`
    select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication from pg_roles where rolname = current_user`
    .execute(rls.db)
    .then(({ rows }) => rows);
  expect(Object.values(role ?? { missing: true })).toEqual([false, false, false, false, false]);
  const { rows: owned } = await sql`
    select relname from pg_class where relowner = (select oid from pg_roles where rolname = current_user)
    union all select proname from pg_proc where proowner = (select oid from pg_roles where rolname = current_user)
    union all select nspname from pg_namespace where nspowner = (select oid from pg_roles where rolname = current_user)`.execute(
    rls.db,
  );
  expect(owned).toEqual([]);
  for (const table of ['entry', 'leg', 'transfer', 'tick', 'audit', 'audit_seal', 'audit_head', 'inbox']) {
    const { rows } = await sql<Record<string, boolean>>`
      select has_table_privilege(${table}, 'UPDATE') or exists (
          select from information_schema.columns c where c.table_schema = 'public' and c.table_name = ${table}
            and has_column_privilege(${table}, c.column_name, 'UPDATE')
            -- An entry follows its user into another tree; nothing that was posted can change.
            and (c.table_name, c.column_name::text) <> ('entry', 'agent_id')) as may_update,
        has_table_privilege(${table}, 'DELETE') as may_delete, has_table_privilege(${table}, 'TRUNCATE') as may_truncate,
        has_table_privilege(${table}, 'TRIGGER') as may_trigger, has_table_privilege(${table}, 'REFERENCES') as may_refer`.execute(
      rls.db,
    );
    expect([table, ...Object.values(rows[0] ?? { missing: true })]).toEqual([table, false, false, false, false, false]);
  }
  for (const table of await rls.fetchTables()) {
    const { rows } = await sql<Record<string, boolean>>`
      select has_table_privilege(${table}, 'TRUNCATE') as may_truncate, has_table_privilege(${table}, 'TRIGGER') as may_trigger`.execute(
      rls.db,
    );
    expect([table, ...Object.values(rows[0] ?? { missing: true })]).toEqual([table, false, false]);
  }
  await expect(sql`create table mine (id bigint)`.execute(rls.db)).rejects.toMatchObject({ code: '42501' });
  await expect(sql`alter table users disable row level security`.execute(rls.db)).rejects.toMatchObject({
    code: '42501',
  });
  await expect(sql`drop policy everything on users`.execute(rls.db)).rejects.toMatchObject({ code: '42501' });
});

test.each(['entry', 'leg', 'transfer', 'tick', 'audit', 'audit_seal', 'audit_head', 'inbox'])(
  'denies updating and deleting rows of %s',
  async (name) => {
    const column =
      { inbox: 'type', audit_seal: 'hash', audit_head: 'hash', audit: 'reason', tick: 'price', leg: 'amount' }[name] ??
      'remark';
    const table = sql.table(name);
    await expect(
      rls.asSystem((trx) => sql`update ${table} set ${sql.ref(column)} = null`.execute(trx)),
    ).rejects.toMatchObject({ code: '42501' });
    await expect(rls.asSystem((trx) => sql`delete from ${table}`.execute(trx))).rejects.toMatchObject({
      code: '42501',
    });
    await expect(rls.asSystem((trx) => sql`truncate ${table}`.execute(trx))).rejects.toMatchObject({ code: '42501' });
  },
);
