import { reviewTypes } from '@hengtai/contract/desk/queue/work-queue';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { compactCounters, rebuildCounters } from '../src/books/lists/counters.ts';
import { rebuildFundDays } from '../src/domains/desk/report/fund-day.store.ts';
import { findLeaks } from './matrix-run.ts';
import { PLACES } from './matrix-world.ts';
import { type RlsWorld, openRlsWorld } from './rls-database.ts';

/** What the platform says about its wallets. */
const WALLET_TABLES = [
  'wallet',
  'wallet_reading',
  'chain_move',
  'chain_revert',
  'chain_fee',
  'chain_match',
  'chain_move_open',
  'wallet_transfer',
  'wallet_pending',
  'wallet_entry',
  'wallet_judgement',
  'wallet_balance',
  'wallet_coin',
  'chain_order',
  'chain_record_open',
  'wallet_item',
];
const APPEND_ONLY = [
  'entry',
  'leg',
  'transfer',
  'tick',
  'audit',
  'audit_seal',
  'audit_head',
  'inbox',
  'wallet_reading',
  'chain_move',
  'chain_revert',
  'chain_fee',
  'wallet_entry',
];

let rls: RlsWorld;

beforeAll(async () => {
  rls = await openRlsWorld();
});
afterAll(async () => {
  // No test changed another tree.
  for (const place of PLACES) {
    const [user] = await rls.server.query(
      sql<{ remark: string }>`select remark from users where id = ${rls.world.places[place].user.id}`,
    );
    expect(user?.remark).toBe(rls.world.places[place].canary);
  }
  // The tests inserted rows directly, so the stored totals must be rebuilt.
  await rebuildFundDays(rls.server.owner);
  await rls.close();
});

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

test.each(WALLET_TABLES)('shows rows of %s with full scope only', async (name) => {
  const statement = sql`select * from ${sql.table(name)}`;
  expect((await rls.asOwn((trx) => statement.execute(trx))).rows).toEqual([]);
  expect((await rls.asSystem((trx) => statement.execute(trx))).rows).not.toEqual([]);
});

test('changes nothing of a wallet but name, state and the keys that the server makes', async () => {
  const change = (column: string): Promise<unknown> =>
    rls.asSystem((trx) => sql`update wallet set ${sql.ref(column)} = ${sql.ref(column)}`.execute(trx));
  for (const column of ['address', 'market_id', 'network_key', 'kind', 'created_at', 'memo'])
    await expect(change(column)).rejects.toMatchObject({ code: '42501' });
  await change('state');
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

test('protects a new table as those of the first migrations', async () => {
  const policiesOf = async (table: string): Promise<unknown[]> =>
    rls.server.query(
      sql`select policyname, cmd, qual, with_check from pg_policies where tablename = ${table} order by policyname`,
    );
  await rls.server.query(sql`create table coupon (agent_id bigint); create table coupon_kind (id bigint);
    select protect('coupon', 'agent_id'), protect('coupon_kind')`);
  try {
    expect(await policiesOf('coupon')).toEqual(await policiesOf('recharge'));
    expect(await policiesOf('coupon_kind')).toEqual(await policiesOf('login_guard'));
  } finally {
    await rls.server.query(sql`drop table coupon; drop table coupon_kind`);
  }
});

test('lets operators claim the records of every queue, and of a new one by one call', async () => {
  const tables = ['claim', 'queue_item', 'queue_event', 'viewer'];
  const kindsOf = async (kind: string): Promise<unknown[]> =>
    (
      await rls.server.query(
        sql<{
          table: string;
        }>`select distinct tablename as "table" from pg_policies where tablename = any(${tables}::text[])
          and qual like ${`%'${kind}'%`} order by 1`,
      )
    ).map(({ table }) => table);
  for (const kind of reviewTypes) expect([kind, await kindsOf(kind)]).toEqual([kind, tables.toSorted()]);
  await rls.server.query(sql`create table coupon (id bigint); select protect_review('coupon', 'coupon')`);
  try {
    expect(await kindsOf('coupon')).toEqual(tables.toSorted());
  } finally {
    await rls.server.query(sql`drop table coupon cascade`);
  }
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
  for (const table of APPEND_ONLY) {
    const { rows } = await sql<Record<string, boolean>>`
      select has_table_privilege(${table}, 'UPDATE') or exists (
          select from information_schema.columns c where c.table_schema = 'public' and c.table_name = ${table}
            and has_column_privilege(${table}, c.column_name, 'UPDATE')
            -- An entry follows its user into another tree; nothing that was posted can change.
            and (c.table_name, c.column_name::text) <> ('entry', 'agent_id')
            -- Keys are made again from the texts that the platform sent, which cannot change.
            and not (c.table_name = 'chain_move' and c.column_name in ('account_key', 'memo_key', 'account_rules'))) as may_update,
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

test.each(APPEND_ONLY)('denies updating and deleting rows of %s', async (name) => {
  const column =
    {
      inbox: 'type',
      audit_seal: 'hash',
      audit_head: 'hash',
      audit: 'reason',
      tick: 'price',
      leg: 'amount',
      wallet_reading: 'amount',
      chain_move: 'amount',
      chain_revert: 'created_at',
      chain_fee: 'amount',
      wallet_entry: 'amount',
    }[name] ?? 'remark';
  const table = sql.table(name);
  await expect(
    rls.asSystem((trx) => sql`update ${table} set ${sql.ref(column)} = null`.execute(trx)),
  ).rejects.toMatchObject({ code: '42501' });
  await expect(rls.asSystem((trx) => sql`delete from ${table}`.execute(trx))).rejects.toMatchObject({
    code: '42501',
  });
  await expect(rls.asSystem((trx) => sql`truncate ${table}`.execute(trx))).rejects.toMatchObject({ code: '42501' });
});

// What follows adds and changes rows.

const foreignPlace = () => ({ agent: rls.world.places.sibling.agent.id, user: rls.world.places.sibling.user.id });
const permissionDenied = { code: '42501' };
const insert = (table: string, row: Record<string, unknown>): Promise<unknown> =>
  rls.asOwn((trx) =>
    sql`insert into ${sql.table(table)} (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
      values (${sql.join(Object.values(row))})`.execute(trx),
  );
const timeColumns = { created_at: 1, recorded_at: 1 };
const moneyColumns = {
  market_id: 1,
  network: 'TRC20',
  address: 'x',
  amount: '5',
  state: 0,
  ...timeColumns,
  updated_at: 1,
};
const rows: [string, (who: { agent: number; user: number }) => Record<string, unknown>][] = [
  ['users', ({ agent }) => ({ account: 'intruder', agent_id: agent, ...timeColumns, updated_at: 1 })],
  ['user_login', ({ agent, user }) => ({ user_id: user, agent_id: agent, ip: '10.1.1.1', ...timeColumns })],
  [
    'user_note',
    ({ agent, user }) => ({ user_id: user, agent_id: agent, text: 'x', operator_id: agent, ...timeColumns }),
  ],
  [
    'support_link',
    ({ agent, user }) => ({
      hash: 'x',
      user_id: user,
      agent_id: agent,
      operator_id: agent,
      created_at: 1,
      expires_at: 1,
    }),
  ],
  ['credential_change', ({ agent, user }) => ({ user_id: user, agent_id: agent, kind: 'otp', ...timeColumns })],
  ['recharge', ({ agent, user }) => ({ no: 'x1', user_id: user, agent_id: agent, source: 1, ...moneyColumns })],
  ['withdraw', ({ agent, user }) => ({ no: 'x1', user_id: user, agent_id: agent, fee: '1', ...moneyColumns })],
  [
    'trade_order',
    ({ agent, user }) => ({
      no: 'x1',
      user_id: user,
      agent_id: agent,
      market_id: 2,
      side: 2,
      type: 2,
      amount: '1',
      frozen: '1',
      state: 0,
      ...timeColumns,
      updated_at: 1,
    }),
  ],
  [
    'trade_fill',
    ({ agent, user }) => ({
      order_id: 1,
      trade_no: 'x1',
      user_id: user,
      agent_id: agent,
      market_id: 2,
      price: '1',
      amount: '1',
      turnover: '1',
      fee: '0',
      ...timeColumns,
    }),
  ],
  [
    'future_order',
    ({ agent, user }) => ({
      no: 'x1',
      user_id: user,
      agent_id: agent,
      market_id: 2,
      demo: 0,
      side: 1,
      type: 2,
      leverage: 2,
      amount: '1',
      margin: '1',
      held: '1',
      state: 0,
      ...timeColumns,
      updated_at: 1,
    }),
  ],
  [
    'future_close',
    ({ agent, user }) => ({
      order_id: 1,
      close_no: 'x1',
      user_id: user,
      agent_id: agent,
      market_id: 2,
      demo: 0,
      side: 1,
      leverage: 2,
      amount: '1',
      open_price: '1',
      price: '1',
      realized: '0',
      released: '1',
      fee: '0',
      insured: '0',
      close_type: 1,
      ...timeColumns,
    }),
  ],
  [
    'future_open',
    ({ agent, user }) => ({
      order_id: 1,
      trade_no: 'x1',
      user_id: user,
      agent_id: agent,
      market_id: 2,
      demo: 0,
      amount: '1',
      price: '1',
      margin: '0',
      fee: '0',
      ...timeColumns,
    }),
  ],
  [
    'corporate_action',
    ({ agent, user }) => ({
      no: 'x1',
      batch: 'x',
      kind: 1,
      user_id: user,
      agent_id: agent,
      market_id: 2,
      platform: 1,
      amount: '1',
      reason: 'x',
      ...timeColumns,
    }),
  ],
  [
    'future_funding',
    ({ agent, user }) => ({
      order_id: 1,
      no: 'x1',
      user_id: user,
      agent_id: agent,
      market_id: 2,
      demo: 0,
      amount: '1',
      from_margin: '0',
      insured: '0',
      ...timeColumns,
    }),
  ],
  [
    'auth',
    ({ agent, user }) => ({
      user_id: user,
      agent_id: agent,
      name: 'x',
      country: 'x',
      id_type: 1,
      id_number: 'x',
      level: 1,
      state: 2,
      ...timeColumns,
      updated_at: 1,
    }),
  ],
  [
    'ieo',
    ({ agent, user }) => ({
      no: 'x1',
      user_id: user,
      agent_id: agent,
      market_id: 6,
      price: '2',
      amount: '3',
      pay: '6',
      state: 0,
      ...timeColumns,
      updated_at: 1,
    }),
  ],
  [
    'second_contract',
    ({ agent, user }) => ({
      no: 'x1',
      user_id: user,
      agent_id: agent,
      market_id: 2,
      side: 1,
      seconds: 30,
      amount: '2',
      payout_rate: '80',
      tier: 0,
      payout: '1',
      config_id: 1,
      config_version: 1,
      tolerance: 1,
      settle_at: 30_001,
      ...timeColumns,
      updated_at: 1,
    }),
  ],
  [
    'hold',
    ({ agent, user }) => ({
      ref_type: 'x',
      ref_id: 1,
      user_id: user,
      agent_id: agent,
      market_id: 1,
      platform: 1,
      amount: '1',
      created_at: 1,
    }),
  ],
  [
    'account',
    ({ agent, user }) => ({
      owner: 'user',
      owner_id: user,
      user_id: user,
      agent_id: agent,
      market_id: 3,
      platform: 1,
      bucket: 'active',
      balance: '1000',
      created_at: 1,
    }),
  ],
  [
    'audit',
    ({ agent, user }) => ({
      ip: '',
      user_agent: '',
      action: 'x',
      user_id: user,
      agent_id: agent,
      result: 200,
      request_id: 'x',
      ...timeColumns,
    }),
  ],
  [
    'approval',
    ({ agent, user }) => ({
      action: 'x',
      target_type: 'user',
      target_id: user,
      user_id: user,
      agent_id: agent,
      input: '{}',
      hash: 'x',
      maker_id: agent,
      ...timeColumns,
      updated_at: 1,
      expires_at: 1,
    }),
  ],
  ['agent', ({ agent }) => ({ account: 'intruder', parent_id: agent, depth: 3, ...timeColumns, updated_at: 1 })],
  ['closure', ({ agent }) => ({ ancestor: rls.world.places.own.agent.id, descendant: agent })],
  ['alarm', ({ agent }) => ({ kind: 'x', ref_type: 'withdraw', ref_id: 1, agent_id: agent, created_at: 1 })],
];

test.each(rows)('refuses a row of %s in another tree', async (table, row) => {
  await expect(insert(table, row(foreignPlace()))).rejects.toMatchObject(permissionDenied);
});

test.each(rows.filter(([table]) => !['agent', 'closure'].includes(table)))(
  'accepts a row of %s in the own tree',
  async (table, row) => {
    const ownPlace = { agent: rls.world.places.child.agent.id, user: rls.world.places.child.user.id };
    await expect(insert(table, row(ownPlace))).resolves.toBeDefined();
  },
);

describe('what belongs to a reviewed record is in the tree of the record', () => {
  const onRecord = (place: 'own' | 'sibling') => ({
    target_type: 'withdraw',
    target_id: rls.world.places[place].rejected.id,
  });
  const queueRows: [string, Record<string, unknown>][] = [
    ['claim', { queue: 'withdrawReview', tab: 'x', waiting_since: 1, since: 1, lease_until: 1, ended_at: 1 }],
    ['queue_item', { updated_at: 1 }],
    ['queue_event', { kind: 'comment', text: 'x', ...timeColumns }],
  ];

  test.each(queueRows)('%s', async (table, columns) => {
    const operator = table === 'queue_item' ? {} : { operator_id: rls.world.places.own.agent.id };
    await expect(insert(table, { ...columns, ...operator, ...onRecord('sibling') })).rejects.toMatchObject(
      permissionDenied,
    );
    await expect(insert(table, { ...columns, ...operator, ...onRecord('own') })).resolves.toBeDefined();
  });

  test('an operator opens records of the own tree only, and only for itself', async () => {
    const { own, child } = rls.world.places;
    const view = { operator_id: own.agent.id, tab: 'x', lease_until: 1 };
    for (const wrong of [
      { ...view, ...onRecord('sibling') },
      { ...view, ...onRecord('own'), operator_id: child.agent.id },
    ])
      await expect(insert('viewer', wrong)).rejects.toMatchObject(permissionDenied);
    await expect(insert('viewer', { ...view, ...onRecord('own') })).resolves.toBeDefined();
  });

  test('an operator marks only itself as absent', async () => {
    const { own, child } = rls.world.places;
    await expect(insert('absence', { operator_id: child.agent.id, created_at: 1 })).rejects.toMatchObject(
      permissionDenied,
    );
    await expect(insert('absence', { operator_id: own.agent.id, created_at: 1 })).resolves.toBeDefined();
  });
});

test('refuses an entry in another tree', async () => {
  const { user } = foreignPlace();
  const entry = rls.asOwn((trx) =>
    sql`insert into entry (transfer_id, leg_id, side, account_id, market_id, user_id, agent_id, platform, bucket, type, amount,
        balance, ref_type, ref_id, created_at, recorded_at)
      values (1, 1, 1, 1, 1, ${user}, ${foreignPlace().agent}, 1, 'active', 1, 1, 1, 'x', 1, 1, 1)`.execute(trx),
  );
  await expect(entry).rejects.toMatchObject(permissionDenied);
});

const updates: [string, string][] = [
  ['users', 'remark'],
  ['agent', 'remark'],
  ['recharge', 'remark'],
  ['withdraw', 'memo'],
  ['auth', 'reason'],
  ['trade_order', 'reason'],
  ['future_order', 'reason'],
  ['ieo', 'reason'],
  ['approval', 'answer'],
  ['hold', 'ref_type'],
  ['account', 'balance'],
  ['command', 'reason'],
  ['session', 'end_reason'],
  ['idempotency', 'path'],
  ['operator_rate', 'name'],
  ['saved_view', 'query'],
  ['export_job', 'filters'],
  ['channel', 'error'],
  ['schedule', 'reason'],
];
test.each(updates)('updates no row of %s in another tree', async (table, column) => {
  const foreignRows = (await rls.server.query(sql<{ text: string }>`select t::text as text from ${sql.table(table)} t`))
    .length;
  const changed = await rls.asOwn(async (trx) => {
    const { numAffectedRows } =
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sql.ref(column)}`.execute(trx);
    return Number(numAffectedRows);
  });
  const visible = await rls.asOwn(
    async (trx) => (await sql`select 1 from ${sql.table(table)}`.execute(trx)).rows.length,
  );
  expect(changed).toBeLessThanOrEqual(visible);
  expect(changed).toBeLessThan(foreignRows);
});

test('refuses to move an own row into another tree', async () => {
  const { agent } = foreignPlace();
  for (const table of [
    'users',
    'withdraw',
    'recharge',
    'auth',
    'ieo',
    'second_contract',
    'hold',
    'account',
    'entry',
    'user_note',
    'user_login',
  ]) {
    const update = rls.asOwn((trx) =>
      sql`update ${sql.table(table)} set agent_id = ${agent} where agent_id is not null`.execute(trx),
    );
    await expect(update).rejects.toMatchObject(permissionDenied);
  }
});
