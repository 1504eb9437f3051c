import { readFileSync, readdirSync } from 'node:fs';
import { EVENT_TYPES } from '@hengtai/contract/gateway';
import { eventData } from '@hengtai/contract/gateway.schema';
import { endpoints } from '@hengtai/contract/index.schema';
import type { TSchema } from '@sinclair/typebox';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  findBinaryContract,
  makePlayer,
  makeBinaryContractMarket,
  open,
  settleAll,
  tell,
} from '../../test/binary-contract.ts';
import { type TestServer, login, testServer } from '../../test/server.ts';
import { firstSettings } from '../first-data.ts';
import { jobs } from '../jobs/jobs.ts';
import { checkBinaryContracts } from './binary-contract-check.store.ts';

/** Nobody chooses an outcome: shown of the calls, the events, the settings, the code, the jobs and the rights of the server. */
let server: TestServer;
let admin: string;
let market: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
  market = await makeBinaryContractMarket(server);
});
afterAll(() => server.stop());

/** Columns that say what became of a contract, or from which prices. */
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

/** Every name of a field in a schema, however deep. */
function fieldsIn(schema: TSchema): string[] {
  const own = Object.entries<TSchema>(schema['properties'] ?? {});
  const inner = [schema['items'], ...(schema['anyOf'] ?? [])].filter(Boolean) as TSchema[];
  return [...own.map(([name]) => name), ...own.flatMap(([, one]) => fieldsIn(one)), ...inner.flatMap(fieldsIn)];
}

test('the calls about contracts take the number of one, and of voiding it the state it is in and a reason', () => {
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

test('no call of any noun names an outcome of a contract', () => {
  const naming = Object.entries(endpoints).flatMap(([noun, ends]) =>
    Object.entries<{ input: TSchema }>(ends).flatMap(([name, { input }]) =>
      fieldsIn(input)
        .filter((field) => /win|lose|outcome|result|profit|closePrice|openPrice|settle/i.test(field))
        .map((field) => `${noun}.${name} ${field}`),
    ),
  );
  // The payout tier of a user says what is paid for a win, never whether it is one; an audit row has a result of its own; a signal
  // names the price at which its followers take their profit.
  expect(
    naming.filter((name) => !/^audit\.|^follow\.|^future\.|^signal\.\w+ takeProfit$/.test(name)).toSorted(),
  ).toEqual(['user.second winRate', 'user.second winType']);
});

test('of the events one is about contracts, and it names neither prices nor terms', () => {
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

test('no setting has to do with results: one says how late a tick may come, two when to tell somebody', () => {
  const own = firstSettings.map(({ key }) => key).filter((key) => /second|win|contract/i.test(key));
  expect(own.filter((key) => !key.startsWith('policy.'))).toEqual([
    'second.tolerance',
    'second.riskExpiry',
    'second.riskMarket',
  ]);
});

test('one statement of the server settles, by numbers and a moment alone', async () => {
  const src = new URL('../', import.meta.url);
  const code = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => ({ path, text: readFileSync(new URL(path, src), 'utf8') }));
  const naming = (what: RegExp) => code.filter(({ text }) => what.test(text)).map(({ path }) => path);
  expect(naming(/\bsettle_seconds\(/)).toEqual(['binary-contract/binary-contract-settle.store.ts']);
  expect(naming(/\bopen_seconds\(/)).toEqual(['binary-contract/binary-contract-settle.store.ts']);
  expect(naming(/\bvoid_second\(/)).toEqual(['binary-contract/binary-contract.store.ts']);
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

  test('may not change the terms of a contract, nor take one away', async () => {
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

  test('writes nothing of a contract but its terms when it is opened, and whose tree it lies in', async () => {
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

test('even its owner cannot record another outcome than the prices give', async () => {
  const user = await makePlayer(server);
  const at = server.clock.now() - 100_000;
  const no = await open(server, user, { market, at });
  await tell(server, market, ['100', at], ['101', at + 30_000]);
  await settleAll(server);
  const { id } = await findBinaryContract(server, admin, no);
  for (const lie of [
    sql`type = 2`,
    sql`profit = profit + 1`,
    sql`close_price = 99`,
    sql`type = 2, profit = -amount`,
    sql`close_tick_at = settle_at - 1`,
    sql`by_account = 'admin'`,
  ])
    await expect(server.query(sql`update second_contract set ${lie} where id = ${id}`)).rejects.toThrow(
      'second_contract_outcome',
    );
});

test('the replay of the tick record finds what a forger would have made agree', async () => {
  const user = await makePlayer(server);
  const own = await makeBinaryContractMarket(server);
  const at = server.clock.now() - 100_000;
  const no = await open(server, user, { market: own, at });
  await tell(server, own, ['100', at], ['101', at + 30_000]);
  await settleAll(server);
  const { id } = await findBinaryContract(server, admin, no);
  expect((await checkBinaryContracts(server.owner)).faults).toEqual([]);
  const forge = (change: ReturnType<typeof sql>) =>
    server.query(sql`update second_contract set ${change} where id = ${id}`);
  const found = async () => (await checkBinaryContracts(server.owner)).faults.map((fault) => [fault.id, fault.what]);
  await forge(sql`close_price = 99, type = 2, profit = -amount`);
  expect(await found()).toEqual([[id, 'the ledger moved 75, the contract has profit -100']]);
  await forge(sql`close_price = 102, type = 1, profit = payout`);
  expect(await found()).toEqual([[id, 'a price differs from its tick']]);
  await forge(sql`close_price = 101, close_tick = close_tick - 1`);
  expect((await found())[0]?.[1]).toContain('the ticks give');
  await forge(sql`close_tick = close_tick + 1`);
  expect(await found()).toEqual([]);
});

test('no job but the settlement ends a contract, and that one changes none that has ended', async () => {
  const user = await makePlayer(server);
  const own = await makeBinaryContractMarket(server);
  const at = server.clock.now() - 100_000;
  await open(server, user, { market: own, at });
  await tell(server, own, ['100', at], ['101', at + 30_000]);
  const rows = () => server.query(sql`select * from second_contract order by id`);
  const before = await rows();
  for (const job of jobs) if (job.name !== 'second-settle') await job.run(server.app, new AbortController().signal);
  expect(await rows()).toEqual(before);
  await settleAll(server);
  const after = await rows();
  expect(after).not.toEqual(before);
  await tell(server, own, ['1', at + 30_000], ['1', at + 40_000]);
  for (const job of jobs) await job.run(server.app, new AbortController().signal);
  expect(await rows()).toEqual(after);
});
