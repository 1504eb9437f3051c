import { ABILITY } from '@hengtai/contract/authority/ability';
import type { ApprovalDetail, ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import type { ConfigRow } from '@hengtai/contract/desk/config/schema';
import type { BulkResult } from '@hengtai/contract/wire/schema';
import type { WithdrawDetail, WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { fetchBalances } from '../../../../test/book.ts';
import { type TestOperator, findUser, makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { countDeadlocks, fetchAuditRows, runWhileLocked } from '../../../../test/inspect.ts';
import { type TestServer, apply, call, login, platformCall, testServer, unique } from '../../../../test/server.ts';
import { checkBook } from '../../../books/ledger/check.ts';
import { findHoldDiscrepancies } from '../../../books/ledger/hold-check.ts';

let server: TestServer;
let admin: string;
let checker: TestOperator;
beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
  checker = await makeOperator(server, admin, {
    abilities: [ABILITY.withdraw, ABILITY.approval, ABILITY.headquarters],
  });
});
afterEach(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  expect(await findHoldDiscrepancies(server.owner)).toEqual([]);
});
afterAll(() => server.stop());

const act = <T = WithdrawRow>(path: string, input: object, token = admin) =>
  call<T>(server, 'POST', path, input, { token });
const detailOf = async ({ id }: { id: number }) =>
  (await call<WithdrawDetail>(server, 'GET', 'withdraw/detail', { id }, { token: admin })).data;
const rowOf = async (row: { id: number }) => (await detailOf(row)).row;

interface Customer {
  id: number;
  account: string;
}
async function makeCustomer(): Promise<Customer> {
  const account = await makeUser(server, { amount: '30000' });
  return { account, id: (await findUser(server, admin, account)).id };
}
const freeze = ({ id }: Customer) => act('user/state/disable', { id });

interface Command {
  id: number;
  state: number;
  reason: string;
  attempt: number;
}
const payoutsOf = ({ id }: WithdrawRow): Promise<Command[]> =>
  server.query(sql<Command>`select id, state, reason, (data ->> 'attempt')::int as attempt from command
    where type = 'withdraw.payout' and ref_id = ${id} order by id`);

async function makeQueued(customer: Customer, amount = '100'): Promise<WithdrawRow> {
  const row = await makeWithdraw(server, admin, customer.account, { amount });
  expect(await act('withdraw/pass', { id: row.id })).toMatchObject({ code: 200, data: { state: 2 } });
  return row;
}
async function setRecall(state: 0 | 1): Promise<void> {
  const { data } = await call<ConfigRow[]>(server, 'GET', 'config/list', {}, { token: admin });
  const { id } = data.find(({ key }) => key === 'withdraw.recallFrozen') ?? { id: 0 };
  expect(await act('config/save', { id, state })).toMatchObject({ code: 200 });
}

test('a waiting withdrawal is marked in list, case and the preview of its checker', async () => {
  const customer = await makeCustomer();
  const row = await makeWithdraw(server, admin, customer.account, { amount: '20000' });
  const listed = async () =>
    (await call<{ list: WithdrawRow[] }>(server, 'GET', 'withdraw/list', { id: row.id }, { token: admin })).data.list;
  expect(await listed()).toMatchObject([{ userFrozen: false }]);
  const { data } = await act<ApprovalRow>('withdraw/pass', { id: row.id });
  const preview = async () =>
    (await call<ApprovalDetail>(server, 'GET', 'approval/detail', { id: data.id }, { token: checker.token })).data;
  const mark = { label: '用户状态', text: '用户已冻结', kind: 'text' };
  expect((await preview()).now).not.toContainEqual(mark);
  expect(await freeze(customer)).toMatchObject({ code: 200 });
  expect(await listed()).toMatchObject([{ userFrozen: true, state: 1 }]);
  expect(await rowOf(row)).toMatchObject({ userFrozen: true });
  expect((await preview()).now).toContainEqual(mark);
  expect(await act('approval/pass', { id: data.id }, checker.token)).toMatchObject({ code: 200 });
  expect(await rowOf(row)).toMatchObject({ state: 2 });
});

test('a bulk pass refuses it alone, also when the freeze commits while the call waits', async () => {
  const [customer, other] = [await makeCustomer(), await makeCustomer()];
  const frozen = await makeWithdraw(server, admin, customer.account, { amount: '10' });
  // Above the policy: no checker is asked either.
  const large = await makeWithdraw(server, admin, customer.account, { amount: '20000' });
  const free = await makeWithdraw(server, admin, other.account, { amount: '10' });
  const late = await makeWithdraw(server, admin, other.account, { amount: '10' });
  await freeze(customer);
  const pass = (...rows: WithdrawRow[]) => act<BulkResult>('withdraw/pass/many', { ids: rows.map(({ id }) => id) });
  const refused = { code: 409, msg: '用户已冻结，请单独处理' };
  expect((await pass(frozen, large, free)).data.results).toMatchObject([
    { id: frozen.id, ...refused },
    { id: large.id, ...refused },
    { id: free.id, code: 200 },
  ]);
  const [raced] = await runWhileLocked(
    server,
    async (tx) => sql`update users set state = 0 where id = ${other.id}`.execute(tx),
    () => pass(late),
  );
  expect(raced?.data.results).toMatchObject([{ id: late.id, ...refused }]);
  expect(await rowOf(late)).toMatchObject({ state: 0 });
  expect(await act('withdraw/pass', { id: frozen.id })).toMatchObject({ code: 200, data: { state: 2 } });
});

test('freezing calls back what nobody received: 7, the command failed, everybody told; retry and refund go on', async () => {
  const customer = await makeCustomer();
  const [again, back] = [await makeQueued(customer), await makeQueued(customer)];
  // A look is no delivery.
  await platformCall(server, 'GET', 'commands?peek=1&limit=500');
  const balances = await fetchBalances(server, customer.account);
  expect(await freeze(customer)).toMatchObject({ code: 200, data: { state: 0 } });
  expect(await fetchBalances(server, customer.account)).toEqual(balances);
  for (const row of [again, back]) {
    expect(await rowOf(row)).toMatchObject({ state: 7, reason: '用户已冻结', by: 'admin', attempt: 1 });
    expect(await payoutsOf(row)).toMatchObject([{ state: 3, reason: '用户已冻结' }]);
    const rows = await fetchAuditRows(server, { targetType: 'withdraw', targetId: row.id });
    expect(rows.at(-1)).toMatchObject({ action: 'withdraw.recalled', operator: 'admin', after: { state: 7 } });
    const told = await server.query(sql`select 1 from notice
      where type = 'withdraw.failed' and ref_type = 'withdraw' and ref_id = ${row.id}`);
    expect(told).toHaveLength(1);
  }
  const { data } = await platformCall(server, 'GET', 'commands?limit=500');
  const nos = [again.no, back.no];
  const sent = (data as { type: string; data: { no?: string } }[]).filter(({ data: { no } }) => nos.includes(no ?? ''));
  expect(sent.filter(({ type }) => type === 'withdraw.payout')).toEqual([]);
  expect(sent.at(-1)).toMatchObject({ type: 'withdraw.reviewed', data: { state: 7, reasonCode: 'frozen' } });
  const stops = await server.query(sql`select 1 from auto_stop_cause where withdraw_id in (${again.id}, ${back.id})`);
  expect(stops).toEqual([]);

  expect(await act('withdraw/retry', { id: again.id })).toMatchObject({ code: 200, data: { state: 2, attempt: 2 } });
  await apply(server, { type: 'withdraw.paid', data: { no: again.no, txHash: unique('hash') } });
  const refund = await act<ApprovalRow>('withdraw/refund', { id: back.id, reason: '用户要求退回' });
  expect(refund).toMatchObject({ code: 202 });
  expect(await act('approval/pass', { id: refund.data.id }, checker.token)).toMatchObject({ code: 200 });
  expect([await rowOf(again), await rowOf(back)]).toMatchObject([{ state: 4 }, { state: 9 }]);
});

test('what was leased or delivered stays, and so does everything while the setting is off', async () => {
  const customer = await makeCustomer();
  const delivered = await makeQueued(customer);
  await platformCall(server, 'GET', 'commands?limit=500');
  const leased = await makeQueued(customer);
  await platformCall(server, 'GET', 'commands?lease=1&limit=500');
  // The program that had the lease may be paying, although it sent no receipt in time.
  server.clock.move(1_000);
  await freeze(customer);
  expect([await rowOf(delivered), await rowOf(leased)]).toMatchObject([{ state: 2 }, { state: 2 }]);
  await act('user/state/enable', { id: customer.id });
  await setRecall(0);
  const queued = await makeQueued(customer);
  await freeze(customer);
  expect(await rowOf(queued)).toMatchObject({ state: 2 });
  await setRecall(1);
});

test('a pass that commits while the freeze waits is called back', async () => {
  const customer = await makeCustomer();
  const row = await makeWithdraw(server, admin, customer.account, { amount: '10' });
  const [passed, frozen] = await runWhileLocked<{ code: number }>(
    server,
    async (tx) => sql`select 1 from withdraw where id = ${row.id} for update`.execute(tx),
    () => act('withdraw/pass', { id: row.id }),
    () => freeze(customer),
  );
  expect([passed, frozen]).toMatchObject([{ code: 200 }, { code: 200 }]);
  expect(await rowOf(row)).toMatchObject({ state: 7 });
});

test('freeze and delivery at the same time: each payout is either delivered or called back, never both', async () => {
  const deadlocks = await countDeadlocks(server);
  for (let round = 0; round < 8; round += 1) {
    const customer = await makeCustomer();
    const row = await makeQueued(customer, '10');
    const path = ['commands?limit=500', 'commands?lease=60&limit=500'][round % 2] ?? '';
    const deliver = async () =>
      (await platformCall(server, 'GET', path)).data as { type: string; data: { no: string } }[];
    const bulk = () => act<BulkResult>('user/state/disable/many', { ids: [customer.id] });
    const first = round % 4 < 2 ? deliver() : undefined;
    const froze = bulk();
    const got = await (first ?? deliver());
    expect((await froze).data.results).toMatchObject([{ code: 200 }]);
    const isDelivered = got.some(({ type, data }) => type === 'withdraw.payout' && data.no === row.no);
    const { state } = await rowOf(row);
    expect([isDelivered, state]).toEqual(isDelivered ? [true, 2] : [false, 7]);
    if (!isDelivered) continue;
    await apply(server, { type: 'withdraw.paid', data: { no: row.no, txHash: unique('hash') } });
    expect(await rowOf(row)).toMatchObject({ state: 4 });
  }
  expect(await countDeadlocks(server)).toBe(deadlocks);
});
