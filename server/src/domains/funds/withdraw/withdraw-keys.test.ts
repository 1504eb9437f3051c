// @module-tag full
import type { WithdrawDetail, WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { tronAddress } from '../../../../test/address.ts';
import { findUser, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { fetchPayouts, setPolicy } from '../../../../test/inspect.ts';
import { startOtherProcess } from '../../../../test/other-process.ts';
import { type TestServer, call, login, testServer } from '../../../../test/server.ts';
import { readDestination } from '../../../destination/destination.ts';
import { checkCounters, compactCounters, rebuildCounters } from '../../../books/lists/counters.ts';
import { backfillFacts } from '../../risk/rule/fact.jobs.ts';
import { backfillKeys } from './withdraw.jobs.ts';

let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
  await setPolicy(server, 'withdraw.pass', 0);
});
afterAll(() => server.stop());

const detailOf = async ({ id }: Pick<WithdrawRow, 'id'>): Promise<WithdrawDetail> =>
  (await call<WithdrawDetail>(server, 'GET', 'withdraw/detail', { id }, { token: admin })).data;

/** Takes the keys away from a withdrawal, as a server of the last release would have written it. */
const removeKeys = ({ id }: WithdrawRow) =>
  server.query(sql`update withdraw set account_key = null, memo_key = null, beneficiary = null, address_faults = null,
    account_rules = null where id = ${id}`);

interface Counts {
  keyed: number;
  left: number;
}
async function countRows(): Promise<Counts> {
  const [counts] = await server.query(sql<Counts>`
    select count(account_rules) as keyed, count(*) - count(account_rules) as left
    from (select account_rules from withdraw union all select account_rules from recharge) r`);
  return counts ?? { keyed: 0, left: 0 };
}

test('older rows are keyed, although the process is killed twice', async () => {
  await server.query(sql`update counter_limit set total_rows = 20, large_rows = 20, block_rows = 20`);
  await rebuildCounters(server.owner);
  const account = await makeUser(server);
  const { id } = await findUser(server, admin, account);
  const hex = sql`lpad(to_hex(n % 50), 40, 'a')`;
  const evm = sql`'0x' || case when n % 2 = 0 then ${hex} else upper(${hex}) end`;
  await server.query(sql`insert into withdraw (no, user_id, agent_id, market_id, network, address, memo, amount, fee, state,
      created_at, recorded_at, updated_at)
    select 'old-' || n, ${id}, 1, 1, case when n % 3 = 0 then 'Ethereum' else 'ERC20' end, ${evm}, ' ', 1, 0, 6, n, 1, 1
    from generate_series(1, 4000) n`);
  await server.query(sql`insert into recharge (no, user_id, agent_id, market_id, network, address, amount, source, state,
      created_at, recorded_at, updated_at)
    select 'old-' || n, ${id}, 1, 1, 'ERC20', ${evm}, 1, 1, 2, n, 1, 1 from generate_series(1, 500) n`);
  for (const kill of [1, 2]) {
    const before = await countRows();
    const other = await startOtherProcess(server);
    await vi.waitFor(async () => expect((await countRows()).keyed).toBeGreaterThan(before.keyed), { timeout: 60_000 });
    await other.kill();
    expect((await countRows()).left, `after kill ${kill}`).toBeGreaterThan(0);
  }
  while ((await countRows()).left > 0) await backfillKeys(server.app);
  await compactCounters(server.app);
  expect(await checkCounters(server.owner)).toEqual([]);
  const rows = await server.query(sql<{
    network: string;
    address: string;
    key: string;
    beneficiary: string;
    faults: string[];
  }>`
    select network, address, account_key as key, beneficiary, address_faults as faults from withdraw
    union all select network, address, account_key, beneficiary, address_faults from recharge where tx_hash = ''`);
  expect(rows).toHaveLength(4500);
  for (const { network, address, ...stored } of rows) {
    const { key, beneficiary, faults } = readDestination({ network, address });
    expect({ address, ...stored }).toEqual({ address, key, beneficiary, faults });
  }
  const [last] = await server.query(sql<{ id: number }>`select max(id) as id from withdraw`);
  const { addresses, keying } = await detailOf({ id: last?.id ?? 0 });
  expect(keying).toBe(false);
  // 50 accounts, each with two names of the network.
  expect(addresses.map(({ times, users }) => [times > 20, users])).toEqual(addresses.map(() => [true, 1]));
}, 180_000);

test('a history that is still to be keyed is unknown, and what is open stays payable', async () => {
  const account = await makeUser(server, { amount: '500' });
  const address = tronAddress('history');
  const past = await makeWithdraw(server, admin, account, { address });
  await server.query(sql`update withdraw set state = 4 where id = ${past.id}`);
  const open = await makeWithdraw(server, admin, account, { address });
  expect(open.risk).not.toContain('first_address');
  await removeKeys(past);
  await removeKeys(open);

  const row = await makeWithdraw(server, admin, account, { address });
  expect(row.risk).toContain('first_address');
  const facts = (of: WithdrawRow) =>
    server.query(sql`select risk_shared_address as shared, risk_memo_missing as memo, address_users as users,
      address_paid as paid from withdraw_fact where withdraw_id = ${of.id}`);
  expect(await facts(row)).toEqual([{ shared: null, memo: null, users: null, paid: 0 }]);
  expect((await detailOf(open)).keying).toBe(true);
  await server.query(sql`delete from withdraw_fact where withdraw_id = ${open.id}`);
  server.clock.move(120_000);
  await backfillFacts(server.app);
  expect(await facts(open)).toEqual([]);
  expect((await call(server, 'POST', 'withdraw/pass', { id: open.id }, { token: admin })).code).toBe(200);
  expect((await fetchPayouts(server, open.id))[0]?.data).toMatchObject({ address, network: 'TRC20' });

  await backfillKeys(server.app);
  const known = await makeWithdraw(server, admin, account, { address });
  expect(known.risk).not.toContain('first_address');
  expect(await facts(known)).toEqual([{ shared: false, memo: false, users: 0, paid: 1 }]);
  const { addresses, keying } = await detailOf(known);
  expect([keying, addresses.map(({ times }) => times)]).toEqual([false, [4]]);
  await server.query(sql`update fact_backfill set reached = ${open.id - 1}`);
  await backfillFacts(server.app);
  expect(await facts(open)).toHaveLength(1);
});
