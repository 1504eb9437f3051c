import { OVERDUE } from '@hengtai/contract/desk/approval/calls';
import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import type { ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import type { Page } from '@hengtai/contract/wire/list';
import type { WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findWithdraw, makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { fetchAuditRows, fetchPayouts } from '../../../../test/inspect.ts';
import { type TestServer, call, login, testServer } from '../../../../test/server.ts';
import { approvableActions } from '../../../modules.ts';
import { expireOverdue } from './approval.service.ts';
import { checkBook } from '../../../books/ledger/check.ts';

const DAY = 24 * 3_600_000;
let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});
// After a day every session has expired, so operators log in again.
beforeEach(async () => {
  admin = await login(server);
});

async function submitWithdrawal(): Promise<{ row: WithdrawRow; id: number }> {
  const row = await makeWithdraw(server, admin, await makeUser(server, { amount: '20000' }), { amount: '15000' });
  const submitted = await call<ApprovalRow>(server, 'POST', 'withdraw/pass', { id: row.id }, { token: admin });
  expect(submitted.code).toBe(202);
  return { row, id: submitted.data.id };
}

const fetchApprovals = async (): Promise<ApprovalRow[]> =>
  (await call<Page<ApprovalRow>>(server, 'GET', 'approval/list', {}, { token: admin })).data.list;

const expire = () => expireOverdue(server.app, approvableActions);

test('expires an approval after a day and returns the withdrawal to review', async () => {
  const { row, id } = await submitWithdrawal();
  const expiry = (await fetchApprovals()).find((approval) => approval.id === id)?.expiresAt;
  server.clock.move(DAY - 60_000);
  expect(await expire()).toBe(0);
  server.clock.move(60_000);
  expect(await Promise.all([expire(), expire(), expire()]).then((counts) => counts.sort((a, b) => a - b))).toEqual([
    0, 0, 1,
  ]);
  admin = await login(server);
  expect((await fetchApprovals()).find((approval) => approval.id === id)).toMatchObject({
    state: APPROVAL.expired,
    checker: null,
    answer: OVERDUE,
    expiresAt: expiry,
  });
  expect(await findWithdraw(server, admin, row.no)).toMatchObject({ state: 0, by: null });
  const auditRows = await fetchAuditRows(server, { targetType: 'approval', targetId: id });
  expect(auditRows).toMatchObject([{ action: 'approval.expire', operator: null, approvalId: id, after: { state: 3 } }]);
  const again = await call<ApprovalRow>(server, 'POST', 'withdraw/pass', { id: row.id }, { token: admin });
  expect(again.code).toBe(202);
  expect(again.data.id).not.toBe(id);
});

test('refuses to pass an overdue approval before the job has expired it', async () => {
  const { row, id } = await submitWithdrawal();
  server.clock.move(DAY);
  admin = await login(server);
  const checker = await makeOperator(server, admin, { abilities: [11, 13] });
  const answer = await call(server, 'POST', 'approval/pass', { id }, { token: checker.token });
  expect(answer).toMatchObject({ code: 409, msg: '该申请已处理或已过期' });
  expect(await findWithdraw(server, admin, row.no)).toMatchObject({ state: 1 });
  await expire();
  expect(await findWithdraw(server, admin, row.no)).toMatchObject({ state: 0 });
  expect(await fetchPayouts(server, row.id)).toEqual([]);
});

test('expiry does not change a withdrawal that was decided meanwhile', async () => {
  const { row, id } = await submitWithdrawal();
  await call(server, 'POST', 'withdraw/reject', { id: row.id, reason: '流水不足' }, { token: admin });
  server.clock.move(DAY);
  await expire();
  admin = await login(server);
  const rejected = await findWithdraw(server, admin, row.no);
  expect(rejected).toMatchObject({ state: 5 });
  // A request that has ended shows when it ended, not until when it could have been decided.
  expect((await fetchApprovals()).find((approval) => approval.id === id)).toMatchObject({
    state: APPROVAL.rejected,
    expiresAt: rejected.reviewedAt,
  });
});
