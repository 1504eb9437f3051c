import { readFileSync, readdirSync } from 'node:fs';
import { EVENT_TYPES } from '@hengtai/contract/gateway/gateway';
import { eventData } from '@hengtai/contract/gateway/events.schema';
import { endpoints } from '@hengtai/contract/index.schema';
import type { TSchema } from '@sinclair/typebox';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  findBinaryContract,
  makeContractUser,
  makeBinaryContractMarket,
  openContract,
  settleAll,
  sendTicks,
} from '../../../../test/binary-contract.ts';
import { login, provideServer } from '../../../../test/server.ts';
import { firstSettings } from '../../../programs/first-data.ts';
import { jobs } from '../../../modules.ts';
import { checkBinaryContracts } from './binary-contract-check.store.ts';

/** Proves that nobody can choose an outcome, by calls, events, settings, code, jobs and database privileges. */
const server = provideServer({ jobs: false });
let admin: string;
let market: string;

beforeAll(async () => {
  admin = await login(server);
  market = await makeBinaryContractMarket(server);
});

/** Columns with the outcome of a contract and its prices. */
const RESULTS = [
  'open_tick',
  'open_price',
  'open_tick_at',
  'close_tick',
  'close_price',
  'close_tick_at',
  'state',
  'type',
  'profit',
  'settled_at',
];

/** Every field name in a schema, at any depth, but those that only say what the caller has read: no handler gets them. */
function fieldsIn(schema: TSchema): string[] {
  const own = Object.entries<TSchema>(schema['properties'] ?? {}).filter(([, one]) => !one['readOnly']);
  const inner = [schema['items'], ...(schema['anyOf'] ?? [])].filter(Boolean) as TSchema[];
  return [...own.map(([name]) => name), ...own.flatMap(([, one]) => fieldsIn(one)), ...inner.flatMap(fieldsIn)];
}

test('calls about contracts take only ids, and to void one its state and a reason', () => {
  const { change, changeMany, evidence, detail, risk } = endpoints.second;
  expect(Object.keys(endpoints.second).filter((name) => !/^(config|list|excel)/.test(name))).toEqual([
    'detail',
    'change',
    'changeMany',
    'evidence',
    'risk',
  ]);
  expect(fieldsIn(change.input).toSorted()).toEqual(['id', 'reason', 'state', 'type']);
  expect(fieldsIn(changeMany.input).toSorted()).toEqual(['ids', 'reason', 'state', 'type']);
  for (const { input } of [change, changeMany]) expect(input['properties'].type.const).toBe(1);
  expect([detail, evidence, risk].map(({ input }) => fieldsIn(input))).toEqual([['id'], ['id'], []]);
});

test('no call has a field that names an outcome of a contract', () => {
  const naming = Object.entries(endpoints).flatMap(([noun, ends]) =>
    Object.entries<{ input: TSchema }>(ends).flatMap(([name, { input }]) =>
      fieldsIn(input)
        .filter((field) => /win|lose|outcome|result|profit|closePrice|openPrice|settle/i.test(field))
        .map((field) => `${noun}.${name} ${field}`),
    ),
  );
  // The payout tier of a user, by which lists filter, sets the rate of a win, not whether it is one. Results of audit rows and
  // take-profit prices of signals concern no contract.
  expect(
    naming.filter((name) => !/^audit\.|^follow\.|^future\.|^signal\.\w+ takeProfit$/.test(name)).toSorted(),
  ).toEqual(['user.excel winType', 'user.list winType', 'user.second winRate', 'user.second winType']);
});

test('the only event about contracts has no prices and no terms', () => {
  expect(EVENT_TYPES.filter((type) => type.startsWith('second.'))).toEqual(['second.opened']);
  expect(Object.keys(eventData['second.opened'].properties).toSorted()).toEqual([
    'account',
    'amount',
    'market',
    'no',
    'seconds',
    'side',
  ]);
});

test('settings about contracts are one tolerance for late ticks and two alert thresholds', () => {
  const own = firstSettings.map(({ key }) => key).filter((key) => /second|win|contract/i.test(key));
  expect(own.filter((key) => !key.startsWith('policy.'))).toEqual([
    'second.tolerance',
    'second.riskExpiry',
    'second.riskMarket',
  ]);
});

test('one statement settles, and takes only ids and a time', async () => {
  const src = new URL('../../../', import.meta.url);
  const code = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => ({ path, text: readFileSync(new URL(path, src), 'utf8') }));
  const naming = (what: RegExp) => code.filter(({ text }) => what.test(text)).map(({ path }) => path);
  expect(naming(/\bsettle_seconds\(/)).toEqual(['domains/trading/binary-contract/binary-contract-settle.store.ts']);
  expect(naming(/\bopen_seconds\(/)).toEqual(['domains/trading/binary-contract/binary-contract-settle.store.ts']);
  expect(naming(/\bvoid_second\(/)).toEqual(['domains/trading/binary-contract/binary-contract.store.ts']);
  expect(naming(/update\s+second_contract|delete\s+from\s+second_contract/i)).toEqual([]);
  const functions = await server.query(sql<{ name: string; takes: string }>`
    select p.proname as name, pg_get_function_identity_arguments(p.oid) as takes from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace where n.nspname = 'public' and p.prosrc ilike '%second_contract%'
    order by 1`);
  expect(functions).toEqual([
    { name: 'open_seconds', takes: 'ids bigint[], recorded bigint' },
    { name: 'settle_seconds', takes: 'ids bigint[], recorded bigint' },
    { name: 'void_second', takes: 'contract bigint, why text, maker text, checker text, recorded bigint' },
  ]);
});

describe('the role of the server', () => {
  const refused = (statement: ReturnType<typeof sql>) =>
    expect(statement.execute(server.app.system)).rejects.toThrow('permission denied');

  test.each(RESULTS)('may not write %s', async (column) => {
    await refused(sql`update second_contract set ${sql.ref(column)} = ${sql.ref(column)}`);
    await refused(sql`insert into second_contract (${sql.ref(column)}) values (1)`);
  });

  test('may not change the terms of a contract or delete one', async () => {
    for (const column of [
      'side',
      'amount',
      'payout_rate',
      'payout',
      'tolerance',
      'settle_at',
      'created_at',
      'market_id',
    ])
      await refused(sql`update second_contract set ${sql.ref(column)} = ${sql.ref(column)}`);
    await refused(sql`delete from second_contract`);
    await refused(sql`truncate second_contract`);
  });

  test('may insert only the terms of a contract and update only its agent', async () => {
    const rights = await server.query(sql<{ privilege: string; columns: string[] }>`
      select c.privilege_type as privilege, array_agg(c.column_name::text order by c.column_name) as columns
      from information_schema.column_privileges c join pg_tables t on t.tablename = c.table_name and t.schemaname = 'public'
      where c.table_name = 'second_contract' and c.grantee <> t.tableowner and c.privilege_type <> 'SELECT'
      group by 1 order by 1`);
    expect(rights.map(({ privilege }) => privilege)).toEqual(['INSERT', 'UPDATE']);
    expect(rights[0]?.columns.filter((column) => RESULTS.includes(column))).toEqual([]);
    expect(rights[1]?.columns).toEqual(['agent_id']);
  });
});

test('even the table owner cannot store an outcome that contradicts the prices', async () => {
  const user = await makeContractUser(server);
  const at = server.clock.now() - 100_000;
  const no = await openContract(server, user, { market, at });
  await sendTicks(server, market, ['100', at], ['101', at + 30_000]);
  await settleAll(server);
  const { id } = await findBinaryContract(server, admin, no);
  for (const forgery of [
    sql`type = 2`,
    sql`profit = profit + 1`,
    sql`close_price = 99`,
    sql`type = 2, profit = -amount`,
    sql`close_tick_at = settle_at - 1`,
    sql`by_account = 'admin'`,
  ])
    await expect(server.query(sql`update second_contract set ${forgery} where id = ${id}`)).rejects.toThrow(
      'second_contract_outcome',
    );
});

test('the check against recorded ticks finds forgeries that satisfy the constraints', async () => {
  const user = await makeContractUser(server);
  const own = await makeBinaryContractMarket(server);
  const at = server.clock.now() - 100_000;
  const no = await openContract(server, user, { market: own, at });
  await sendTicks(server, own, ['100', at], ['101', at + 30_000]);
  await settleAll(server);
  const { id } = await findBinaryContract(server, admin, no);
  expect((await checkBinaryContracts(server.owner)).discrepancies).toEqual([]);
  const forge = (change: ReturnType<typeof sql>) =>
    server.query(sql`update second_contract set ${change} where id = ${id}`);
  const found = async () =>
    (await checkBinaryContracts(server.owner)).discrepancies.map(({ id: contractId, what }) => [contractId, what]);
  await forge(sql`close_price = 99, type = 2, profit = -amount`);
  expect(await found()).toEqual([[id, 'the ledger moved 75, the contract has profit -100']]);
  await forge(sql`close_price = 102, type = 1, profit = payout`);
  expect(await found()).toEqual([[id, 'a price differs from its tick']]);
  await forge(sql`close_price = 101, close_tick = close_tick - 1`);
  expect((await found())[0]?.[1]).toContain('the ticks give');
  await forge(sql`close_tick = close_tick + 1`);
  expect(await found()).toEqual([]);
});

test('only the settlement job ends contracts, and it never changes an ended one', async () => {
  const user = await makeContractUser(server);
  const own = await makeBinaryContractMarket(server);
  const at = server.clock.now() - 100_000;
  await openContract(server, user, { market: own, at });
  await sendTicks(server, own, ['100', at], ['101', at + 30_000]);
  const rows = () => server.query(sql`select * from second_contract order by id`);
  const before = await rows();
  for (const job of jobs) if (job.name !== 'second-settle') await job.run(server.app, new AbortController().signal);
  expect(await rows()).toEqual(before);
  await settleAll(server);
  const after = await rows();
  expect(after).not.toEqual(before);
  await sendTicks(server, own, ['1', at + 30_000], ['1', at + 40_000]);
  for (const job of jobs) await job.run(server.app, new AbortController().signal);
  expect(await rows()).toEqual(after);
});
