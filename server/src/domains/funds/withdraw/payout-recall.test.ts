import { WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import type { WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fetchBalances } from '../../../../test/book.ts';
import { finishAll, lease, makePassedWithdraw, pull } from '../../../../test/commands.ts';
import { findWithdraw } from '../../../../test/factories.ts';
import { fetchAuditRows, setPolicy } from '../../../../test/inspect.ts';
import { type TestServer, call, login, testServer } from '../../../../test/server.ts';
import { checkBook } from '../../../books/ledger/check.ts';

let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
  await setPolicy(server, 'withdraw.pass', 0);
});
beforeEach(() => finishAll(server));
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});

const recall = ({ id }: WithdrawRow, reason = '地址有误') =>
  call<WithdrawRow>(server, 'POST', 'withdraw/recall', { id, reason }, { token: admin });
const find = ({ no }: WithdrawRow): Promise<WithdrawRow> => findWithdraw(server, admin, no);
const payoutsOf = async ({ no }: WithdrawRow) =>
  (await pull(server)).filter(({ type, data }) => type === 'withdraw.payout' && data.no === no);
const commandStates = async ({ id }: WithdrawRow): Promise<number[]> => {
  const rows = await server.query<{ state: number }>(sql`
    select state from command where type = 'withdraw.payout' and ref_id = ${id} order by id`);
  return rows.map(({ state }) => state);
};

test('a payout that nobody was given waits for people, with the reason', async () => {
  const row = await makePassedWithdraw(server, admin);
  expect((await recall(row, ' ')).code).toBe(422);
  expect(await recall(row)).toMatchObject({ code: 200, data: { state: WITHDRAW.failed, reason: '地址有误' } });
  expect(await commandStates(row)).toEqual([3]);
  expect(await payoutsOf(row)).toEqual([]);
  expect(await fetchBalances(server, row.account)).toEqual({ 'USDT 1 active': '50', 'USDT 1 frozen': '100' });
  expect((await fetchAuditRows(server, { targetType: 'withdraw', targetId: row.id })).at(-1)).toMatchObject({
    action: 'withdraw.recall',
    result: 200,
    reason: '地址有误',
  });
  expect(await recall(row)).toMatchObject({ code: 409 });
  expect((await call(server, 'POST', 'withdraw/retry', { id: row.id }, { token: admin })).code).toBe(200);
  expect(await payoutsOf(row)).toMatchObject([{ data: { attempt: 2 } }]);
});

test.each([
  ['delivered', () => pull(server)],
  ['leased', () => lease(server)],
])('one that was %s is not called back', async (_how, take) => {
  const row = await makePassedWithdraw(server, admin);
  await finishOthers(row);
  await take();
  expect(await recall(row)).toMatchObject({ code: 409, msg: '打款指令已交给钱包，不能撤回' });
  expect(await find(row)).toMatchObject({ state: WITHDRAW.queued });
});

test('of a recall and a delivery at the same time one wins', async () => {
  for (let round = 0; round < 10; round += 1) {
    const row = await makePassedWithdraw(server, admin);
    const [{ code }, delivered] = await Promise.all([recall(row), payoutsOf(row)]);
    expect([code, delivered.length]).toEqual(code === 200 ? [200, 0] : [409, 1]);
  }
});

/** A lease waits for the earlier commands of a record. */
const finishOthers = ({ id }: WithdrawRow) =>
  server.query(sql`update command set state = 2 where ref_id = ${id} and type <> 'withdraw.payout'`);
