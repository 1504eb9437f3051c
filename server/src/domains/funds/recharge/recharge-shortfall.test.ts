import { ABILITY } from '@hengtai/contract/authority/ability';
import type { ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import { WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import { HOLD_SHORTFALL } from '@hengtai/contract/funds/withdraw/calls';
import type { WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import type { AlarmRow } from '@hengtai/contract/house/alarm/schema';
import type { Page } from '@hengtai/contract/wire/list';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { fetchDecision, saveBudget } from '../../../../test/auto-payout.ts';
import { findUser, findWithdraw, makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { setPolicy } from '../../../../test/inspect.ts';
import { makeRule } from '../../../../test/rules.ts';
import { apply, call, login, provideServer, unique } from '../../../../test/server.ts';
import { decideCandidates } from '../../risk/auto-payout/auto-payout.jobs.ts';

const server = provideServer({ jobs: false });
let admin: string;

beforeAll(async () => {
  admin = await login(server);
});
beforeEach(async () => {
  await setPolicy(server, 'withdraw.pass', 0);
  await setSetting(1);
});

const setSetting = (state: 0 | 1) =>
  server.query(sql`update config set state = ${state} where key = ${HOLD_SHORTFALL}`);
const act = (action: string, { id }: WithdrawRow) =>
  call<WithdrawRow>(server, 'POST', `withdraw/${action}`, { id }, { token: admin });

/** A user with 300 of whose recharges one of 200 is reversed after 150 were spent: 50 are missing. */
async function overdrawn(
  beforeReversal?: (row: WithdrawRow) => Promise<void>,
): Promise<{ account: string; row: WithdrawRow; alarm: AlarmRow }> {
  const account = await makeUser(server, { amount: '100' });
  const no = unique('R');
  const data = {
    no,
    account,
    market: 'USDT',
    network: 'TRC20',
    address: 'T',
    amount: '200',
    confirmations: 9,
    source: 1,
  };
  await apply(server, { type: 'recharge.credited', data });
  const row = await makeWithdraw(server, admin, account, { amount: '100', fee: '1' });
  const { id: userId } = await findUser(server, admin, account);
  const spent = { userId, marketId: 1, platform: 1, amount: '50', state: 0, reason: 'spent' };
  expect((await call(server, 'POST', 'asset/active/sub', spent, { token: admin })).code).toBe(200);
  await beforeReversal?.(row);
  await apply(server, { type: 'recharge.reversed', data: { no } });
  const { data: alarms } = await call<Page<AlarmRow>>(server, 'GET', 'alarm/list', { account }, { token: admin });
  const [alarm] = alarms.list;
  if (!alarm) throw new Error('no alarm');
  return { account, row, alarm };
}

test('a payout waits until the alarm about the reversal is closed', async () => {
  const { row, alarm } = await overdrawn();
  expect(alarm).toMatchObject({ kind: 'recharge.reversed', amount: '50' });
  expect(await act('pass', row)).toMatchObject({
    code: 409,
    msg: expect.stringContaining(`请先处理告警 #${alarm.id}`),
    data: { alarm: alarm.id },
  });
  expect(await findWithdraw(server, admin, row.no)).toMatchObject({ state: WITHDRAW.review, attempt: 0 });
  await call(server, 'POST', 'alarm/close', { id: alarm.id, reason: '已追回' }, { token: admin });
  expect(await act('pass', row)).toMatchObject({ code: 200 });
});

test('so does a retry, before anybody is asked to check it', async () => {
  const account = await makeUser(server, { amount: '100' });
  const row = await makeWithdraw(server, admin, account, { amount: '50', fee: '1' });
  await act('pass', row);
  await apply(server, { type: 'withdraw.failed', data: { no: row.no } });
  const no = unique('R');
  const data = {
    no,
    account,
    market: 'USDT',
    network: 'TRC20',
    address: 'T',
    amount: '1',
    confirmations: 9,
    source: 1,
  };
  const { id: userId } = await findUser(server, admin, account);
  await apply(server, { type: 'recharge.credited', data });
  const spent = { userId, marketId: 1, platform: 1, amount: '51', state: 0, reason: 'spent' };
  await call(server, 'POST', 'asset/active/sub', spent, { token: admin });
  await apply(server, { type: 'recharge.reversed', data: { no } });
  await setPolicy(server, 'withdraw.retry', 2);
  expect(await act('retry', row)).toMatchObject({ code: 409, msg: expect.stringContaining('请先处理告警') });
  await setPolicy(server, 'withdraw.retry', 0);
});

test('so does an approval that was asked for before the reversal', async () => {
  const checker = await makeOperator(server, admin, {
    abilities: [ABILITY.withdraw, ABILITY.approval, ABILITY.headquarters],
  });
  await setPolicy(server, 'withdraw.pass', 1);
  const approval = { id: 0 };
  const { row } = await overdrawn(async (requested) => {
    const { data, code } = await call<ApprovalRow>(
      server,
      'POST',
      'withdraw/pass',
      { id: requested.id },
      { token: admin },
    );
    expect(code).toBe(202);
    approval.id = data.id;
  });
  expect(await call(server, 'POST', 'approval/pass', approval, { token: checker.token })).toMatchObject({
    code: 409,
    msg: expect.stringContaining('请先处理告警') as string,
  });
  expect(await findWithdraw(server, admin, row.no)).toMatchObject({ attempt: 0 });
});

test('not where the setting is off, and other users are not held', async () => {
  const { row } = await overdrawn();
  const other = await makeWithdraw(server, admin, await makeUser(server, { amount: '100' }), {
    amount: '50',
    fee: '1',
  });
  expect(await act('pass', other)).toMatchObject({ code: 200 });
  await setSetting(0);
  expect(await act('pass', row)).toMatchObject({ code: 200 });
});

test('automatic payouts leave the user to people', async () => {
  await makeRule(server, admin, { actions: { points: 1 } });
  await saveBudget(server, admin, {});
  const { row } = await overdrawn();
  const other = await makeWithdraw(server, admin, await makeUser(server, { amount: '100' }), { amount: '50' });
  await decideCandidates(server.app);
  expect(await fetchDecision(server, admin, row.id)).toMatchObject({ passed: false, why: 'alarm' });
  expect(await findWithdraw(server, admin, row.no)).toMatchObject({ state: WITHDRAW.review });
  expect(await fetchDecision(server, admin, other.id)).toMatchObject({ passed: true });
});
