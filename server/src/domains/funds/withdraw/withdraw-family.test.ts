import type { Family } from '@hengtai/contract/values/destination';
import type { MarketRow } from '@hengtai/contract/trading/market/schema';
import type { WithdrawDetail, WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { tronAddress } from '../../../../test/address.ts';
import { fetchDecision, saveBudget } from '../../../../test/auto-payout.ts';
import { findUser, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { fetchPayouts, setPolicy } from '../../../../test/inspect.ts';
import { startOtherProcess } from '../../../../test/other-process.ts';
import { makeRule } from '../../../../test/rules.ts';
import { type TestServer, apply, call, login, testServer, unique } from '../../../../test/server.ts';
import { ACCOUNT_RULES, readDestination } from '../../../destination/destination.ts';
import { checkCounters, compactCounters } from '../../../books/lists/counters.ts';
import { inTransaction } from '../../../database/connect.ts';
import { decideCandidates } from '../../risk/auto-payout/auto-payout.jobs.ts';
import { renewKeys } from './key-backfill.store.ts';
import { backfillKeys } from './withdraw.jobs.ts';

const NETWORK = 'HouseChain';
const USDT = 1;

let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
  await setPolicy(server, 'withdraw.pass', 0);
  await makeRule(server, admin, { actions: { points: 1 } });
  await saveBudget(server, admin);
});
afterAll(() => server.stop());

const get = <T>(path: string, input: object) => call<T>(server, 'GET', path, input, { token: admin });
const act = <T>(path: string, input: object) => call<T>(server, 'POST', path, input, { token: admin });

/** Lists the network with a family; without one, its name says nothing. */
async function changeOf(family?: Family) {
  const { data: row } = await act<MarketRow>('market/detail', { id: USDT });
  const others = row.networks.filter(({ network }) => network !== NETWORK);
  const network = { network: NETWORK, recharge: 1, withdraw: 1, fee: '1', explorer: '', ...(family && { family }) };
  return { id: USDT, version: row.version, networks: [...others, network], reason: '更正地址格式' };
}
async function setFamily(family?: Family): Promise<void> {
  expect(await act('market/save', await changeOf(family))).toMatchObject({ code: 200 });
}
const request = (account: string, address: string, network = NETWORK): Promise<WithdrawRow> =>
  makeWithdraw(server, admin, account, { network, address, amount: '2' });
const detailOf = async ({ id }: WithdrawRow): Promise<WithdrawDetail> =>
  (await get<WithdrawDetail>('withdraw/detail', { id })).data;
const finish = async (): Promise<void> => void (await backfillKeys(server.app));

interface StoredKeys {
  id: number;
  network: string;
  address: string;
  key: string;
  beneficiary: string;
  rules: number;
}
const fetchKeys = () =>
  server.query(sql<StoredKeys>`
    select id, network, address, account_key as key, beneficiary, account_rules as rules from withdraw
    union all select id, network, address, account_key, beneficiary, account_rules from recharge`);

async function expectKeyedAs(family: Family): Promise<void> {
  for (const { network, address, key, beneficiary, rules } of await fetchKeys()) {
    const read = readDestination({ network, address, ...(network === NETWORK && { family }) });
    expect({ address, key, beneficiary, rules }).toEqual({
      address,
      key: read.key,
      beneficiary: read.beneficiary,
      rules: ACCOUNT_RULES,
    });
  }
}

test('a network reads accounts as its family writes them, in records, lists and orders', async () => {
  await setFamily('tron');
  const account = await makeUser(server, { amount: '500' });
  const address = tronAddress('own family');
  const first = await request(account, address);
  expect(first.risk).toEqual(['first_address']);
  expect((await request(account, 'T-nowhere')).risk).toContain('address_format');
  const { data: entry } = await act<{ id: number }>('address_list/add', { list: 1, address, reason: '诈骗' });
  expect((await detailOf(first)).screening.listed).toMatchObject([{ id: entry.id }]);
  await act('address_list/remove', { id: entry.id, reason: '误报' });
  await setFamily('evm');
  await finish();
  const evm = `0x${'ab'.repeat(20)}`;
  const row = await request(account, `ethereum:${evm}@1`);
  expect(row.risk).toEqual(['first_address']);
  expect(await act('withdraw/pass', { id: row.id })).toMatchObject({ code: 200 });
  expect((await fetchPayouts(server, row.id))[0]?.data).toMatchObject({ network: NETWORK, address: evm });
  const wrong = await changeOf('klingon' as Family);
  expect(await act('market/save', wrong)).toMatchObject({ code: 422 });
});

test('after another family, older records are unknown until they are keyed again', async () => {
  await setFamily();
  await finish();
  const account = await makeUser(server, { amount: '500' });
  const other = await makeUser(server, { amount: '500' });
  const address = `0x${'Cd'.repeat(20)}`.toLowerCase();
  const past = await request(account, address);
  await act('withdraw/pass', { id: past.id });
  await apply(server, { type: 'withdraw.paid', data: { no: past.no, txHash: unique('hash') } });
  await request(other, address);
  expect((await request(account, address)).risk).toEqual(['shared_address']);

  await setFamily('evm');
  const facts = ({ id }: WithdrawRow) =>
    server.query(sql`select risk_first_address as first, risk_shared_address as shared, address_users as users,
      address_paid as paid from withdraw_fact where withdraw_id = ${id}`);
  const unknown = await request(account, address);
  expect(unknown.risk).toEqual(['first_address']);
  expect(await facts(unknown)).toEqual([{ first: true, shared: null, users: null, paid: 0 }]);
  expect((await detailOf(unknown)).keying).toBe(true);
  await decideCandidates(server.app);
  expect(await fetchDecision(server, admin, unknown.id)).toMatchObject({ passed: false, why: 'keying' });
  const stranger = await request(await makeUser(server, { amount: '500' }), tronAddress('stranger'), 'TRC20');
  await decideCandidates(server.app);
  expect(await fetchDecision(server, admin, stranger.id)).toMatchObject({ passed: true });

  await finish();
  await expectKeyedAs('evm');
  const known = await request(account, address.toUpperCase());
  expect(known.risk).toEqual(['shared_address']);
  expect(await facts(known)).toEqual([{ first: false, shared: true, users: 1, paid: 1 }]);
  expect((await detailOf(known)).keying).toBe(false);
  await decideCandidates(server.app);
  expect(await fetchDecision(server, admin, known.id)).toMatchObject({ passed: true });
});

test('a row that another transaction locks is keyed again later, and no row after it before', async () => {
  await setFamily('tron');
  await finish();
  const rows = await server.query(sql<{ id: number }>`select id from withdraw where market_id = ${USDT} order by id`);
  const middle = rows[1]?.id ?? 0;
  await setFamily('evm');
  const step = () => inTransaction(server.app.system, (db) => renewKeys(db, 'withdraw', 200));
  await inTransaction(server.app.system, async (db) => {
    await sql`select 1 from withdraw where id = ${middle} for update`.execute(db);
    expect(await step()).toBe(1);
    expect(await step()).toBe(0);
  });
  expect(await step()).toBe(rows.length - 1);
  expect(await step()).toBe(undefined);
  await finish();
  await expectKeyedAs('evm');
});

test('a record that is being written while the family changes is keyed by the new one, or keyed again', async () => {
  await setFamily('tron');
  await finish();
  const account = await makeUser(server, { amount: '500' });
  let saved: Promise<void> = Promise.resolve();
  await inTransaction(server.app.system, async (db) => {
    // As an event does that has read the networks.
    await sql`select networks from market where id = ${USDT} for key share`.execute(db);
    saved = setFamily('evm');
    const isWaiting = sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
      where wait_event_type = 'Lock' and query like '%from market where id%for update%'`;
    await vi.waitFor(async () => expect(await server.query(isWaiting)).toEqual([{ n: 1 }]), { timeout: 2_000 });
    await sql`insert into withdraw (no, user_id, agent_id, market_id, network, address, amount, fee, state, account_key, memo_key,
        beneficiary, address_faults, account_rules, created_at, recorded_at, updated_at)
      select 'between', u.id, u.agent_id, ${USDT}, ${NETWORK}, ${`0x${'ef'.repeat(20)}`}, 1, 0, 6, 'opaque:old', '', 'old', '{}',
        ${ACCOUNT_RULES}, 1, 1, 1 from users u where u.account = ${account}`.execute(db);
  });
  await saved;
  await finish();
  await expectKeyedAs('evm');
});

test('all rows are keyed again, although the process is killed twice; so are those of older rules', async () => {
  await setFamily('tron');
  await finish();
  const { id } = await findUser(server, admin, await makeUser(server));
  const address = sql`'0x' || lpad(to_hex(n % 50), 40, 'b')`;
  const columns = sql`network, address, amount, account_key, memo_key, beneficiary, address_faults, account_rules, state,
    created_at, recorded_at, updated_at`;
  const values = sql`${NETWORK}, ${address}, 1, 'tron:old', '', 'old', '{}', ${ACCOUNT_RULES}`;
  await server.query(sql`insert into withdraw (no, user_id, agent_id, market_id, fee, ${columns})
    select 'again-' || n, ${id}, 1, ${USDT}, 0, ${values}, 6, n, 1, 1 from generate_series(1, 4000) n`);
  await server.query(sql`insert into recharge (no, user_id, agent_id, market_id, source, ${columns})
    select 'again-' || n, ${id}, 1, ${USDT}, 1, ${values}, 2, n, 1, 1 from generate_series(1, 500) n`);
  await setFamily('evm');
  // Keys of older rules are in no list of renewals.
  await server.query(sql`update withdraw set account_rules = 0 where no like 'again-%' and created_at > 3000`);
  const countOld = async (): Promise<number> =>
    (await fetchKeys()).filter(({ key, rules }) => key === 'tron:old' || rules < ACCOUNT_RULES).length;
  for (const kill of [1, 2]) {
    const before = await countOld();
    const process = await startOtherProcess(server);
    await vi.waitFor(async () => expect(await countOld()).toBeLessThan(before), { timeout: 60_000 });
    await process.kill();
    expect(await countOld(), `after kill ${kill}`).toBeGreaterThan(0);
  }
  while ((await server.query(sql`select 1 from key_renewal`)).length > 0) await finish();
  await expectKeyedAs('evm');
  await compactCounters(server.app);
  expect(await checkCounters(server.owner)).toEqual([]);
}, 180_000);

test('keys of older rules count as not used before', async () => {
  const account = await makeUser(server, { amount: '500' });
  const address = tronAddress('old rules');
  const past = await request(account, address, 'TRC20');
  await act('withdraw/pass', { id: past.id });
  await apply(server, { type: 'withdraw.paid', data: { no: past.no, txHash: unique('hash') } });
  expect((await request(account, address, 'TRC20')).risk).toEqual([]);
  await server.query(sql`update withdraw set account_rules = ${ACCOUNT_RULES - 1} where id = ${past.id}`);
  const row = await request(account, address, 'TRC20');
  expect(row.risk).toEqual(['first_address']);
  expect(await server.query(sql`select address_paid as paid from withdraw_fact where withdraw_id = ${row.id}`)).toEqual(
    [{ paid: 0 }],
  );
  await finish();
  expect((await request(account, address, 'TRC20')).risk).toEqual([]);
});

test('the indexes of rows to be keyed name the version of the rules', async () => {
  const indexes = await server.query(sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes where indexname like '%stale_keys' order by 1`);
  expect(indexes.map(({ name }) => name)).toEqual([
    'chain_move_stale_keys',
    'recharge_stale_keys',
    'wallet_stale_keys',
    'withdraw_stale_keys',
  ]);
  // A migration builds them again when the rules change; without it each look for such rows reads the table.
  for (const { definition } of indexes) expect(definition).toContain(` < ${ACCOUNT_RULES})`);
});
