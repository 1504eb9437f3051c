import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
  const views = await rls.server.query(
    sql`select c.relname from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('v', 'm', 'f')`,
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

test('shows a tree only its own counts', async () => {
  const { own, child } = rls.world.places;
  const ownAgents = [own.agent.id, child.agent.id];
  await rls.asSystem((trx) => sql`insert into roll_grid (noun, kind, key) select 1, 3, id from users`.execute(trx));
  await rls.asSystem((trx) =>
    sql`with r as (insert into roll_range (noun, kind, key, first, most) select 1, 1 + id % 2, id, '', 1 from agent returning id),
      g as (insert into roll_grid (noun, kind, key) select 1, 4, id from r)
      insert into roll_sum (noun, kind, key, d1, d2, market_key, n, s1, s2, s3) select 1, 4, id, 0, 0, 1, 1, 1, 1, 1 from r`.execute(
      trx,
    ),
  );
  const ranges = await rls.server.query(
    sql<{ id: number }>`select id from roll_range where key = any(${ownAgents}::bigint[])`,
  );
  for (const table of ['roll_sum', 'roll_delta', 'roll_grid', 'roll_block', 'roll_range']) {
    const columns = table === 'roll_delta' ? sql`1 as kind, agent_key as key` : sql`kind, key`;
    const { rows } = await rls.asOwn((trx) =>
      sql<{ kind: number; key: number }>`select ${columns} from ${sql.table(table)}`.execute(trx),
    );
    const users = await rls.server.query(
      sql<{ id: number }>`select id from users where agent_id = any(${ownAgents}::bigint[])`,
    );
    const foreignRows = rows.filter(({ kind, key }) =>
      kind > 2 ? !(kind === 3 ? users : ranges).some(({ id }) => id === key) : kind === 0 || !ownAgents.includes(key),
    );
    expect([table, foreignRows]).toEqual([table, []]);
    if (table === 'roll_grid') expect(rows).toHaveLength(users.length + ranges.length);
    if (table === 'roll_range') expect(rows).toHaveLength(ownAgents.length);
    if (table === 'roll_delta') expect(rows.length).toBeGreaterThan(0);
  }
  await rls.asSystem((trx) => sql`delete from roll_grid`.execute(trx));
  await rls.asSystem((trx) => sql`delete from roll_range`.execute(trx));
  await rls.asSystem((trx) => sql`delete from roll_sum where kind = 4`.execute(trx));
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
