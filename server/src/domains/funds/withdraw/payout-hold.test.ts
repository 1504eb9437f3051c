import { ABILITY } from '@hengtai/contract/authority/ability';
import type { ApprovalDetail } from '@hengtai/contract/desk/approval/schema';
import type { WithdrawDetail, WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Approvers, callAs, lockFourEyes, makeApprovers } from '../../../../test/four-eyes.ts';
import {
  PASSWORD,
  type TestOperator,
  findUser,
  makeOperator,
  makeUser,
  makeWithdraw,
} from '../../../../test/factories.ts';
import { type TestServer, apply, call, login, testServer } from '../../../../test/server.ts';

const HOUR = 3_600_000;
const HELD = '操作员重置了该用户的密码，提现暂缓';

let server: TestServer;
let house: Approvers;
/** Reviews withdrawals of one branch and does not see the admin. */
let reviewer: TestOperator;
let account = '';
/** Has had an open approval since before the reset. */
let submitted: WithdrawRow;
let fresh: WithdrawRow;
let failed: WithdrawRow;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  house = await makeApprovers(server);
  const { token } = house.admin;
  reviewer = await makeOperator(server, token, { abilities: [ABILITY.withdraw, ABILITY.users] });
  account = await makeUser(server, { agent: reviewer.account, amount: '50000' });
  await lockFourEyes(server, house);
  await server.query(sql`update config set state = 1 where key = 'fourEyes.passwordHold'`);
  submitted = await makeWithdraw(server, token, account, { amount: '20000' });
  failed = await makeWithdraw(server, token, account, { amount: '100' });
  expect(await callAs(server, house.second, 'withdraw/pass', { id: failed.id })).toMatchObject({ code: 403 });
  expect(await callAs(server, reviewer, 'withdraw/pass', { id: failed.id })).toMatchObject({ code: 200 });
  await apply(server, { type: 'withdraw.failed', data: { no: failed.no, reason: 'timeout' } });
  expect(await callAs(server, reviewer, 'withdraw/pass', { id: submitted.id })).toMatchObject({ code: 202 });
  fresh = await makeWithdraw(server, token, account, { amount: '10' });
  expect(await detailOf(fresh)).toMatchObject({ payoutHold: null });
  const { id } = await findUser(server, token, account);
  expect(await callAs(server, house.admin, 'user/pwd_update', { id, password: 'a-brand-new-password' })).toMatchObject({
    code: 200,
  });
});
afterAll(() => server.stop());

async function detailOf({ id }: WithdrawRow, { token } = house.admin as { token: string }): Promise<WithdrawDetail> {
  return (await call<WithdrawDetail>(server, 'GET', 'withdraw/detail', { id }, { token })).data;
}

test('returns the end of the hold and the operator who reset the password', async () => {
  const { payoutHold } = await detailOf(fresh);
  expect(payoutHold).toEqual({ until: expect.any(Number), at: expect.any(Number), by: 'admin' });
  expect((payoutHold?.until ?? 0) - (payoutHold?.at ?? 0)).toBe(72 * HOUR);
});

test('hides the name of an operator outside the scope', async () => {
  expect(await detailOf(fresh, reviewer)).toMatchObject({ payoutHold: { at: expect.any(Number), by: null } });
});

test.each([
  ['pass', () => fresh],
  ['retry', () => failed],
])('refuses withdraw/%s during the hold', async (action, row) => {
  const refusal = { code: 409, msg: expect.stringContaining(HELD) };
  expect(await callAs(server, reviewer, `withdraw/${action}`, { id: row().id })).toMatchObject(refusal);
});

test('refuses each withdrawal of a bulk call', async () => {
  const answer = await callAs<{ results: object[] }>(server, reviewer, 'withdraw/pass/many', { ids: [fresh.id] });
  expect(JSON.stringify(answer.data)).toContain(HELD);
  expect((await detailOf(fresh)).row.state).toBe(0);
});

test('shows the hold to the checker of an earlier pass and refuses its execution', async () => {
  const [row] = await server.query(sql<{ id: number }>`
    select id from approval where state = 0 and target_type = 'withdraw' and target_id = ${submitted.id}`);
  const id = row?.id ?? 0;
  const detail = await call<ApprovalDetail>(server, 'GET', 'approval/detail', { id }, { token: house.second.token });
  expect(detail.data.problem).toContain(HELD);
  expect(await callAs(server, house.second, 'approval/pass', { id })).toMatchObject({
    code: 409,
    msg: expect.stringContaining(HELD),
  });
  expect((await detailOf(submitted)).row.state).toBe(0);
});

test('ends the hold after 72 hours and allows the payout', async () => {
  const own = await makeWithdraw(server, house.admin.token, account, { amount: '10' });
  server.clock.move(72 * HOUR);
  const token = await login(server, reviewer.account, PASSWORD);
  expect(await detailOf(own, { token })).toMatchObject({ payoutHold: null });
  expect(await callAs(server, { token }, 'withdraw/pass', { id: own.id })).toMatchObject({ code: 200 });
  server.clock.move(-72 * HOUR);
});
