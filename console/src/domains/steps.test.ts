import { approvalStates } from '@hengtai/contract/desk/approval/facts';
import { ieoStates } from '@hengtai/contract/trading/ieo/facts';
import { kycStates } from '@hengtai/contract/risk/kyc/calls';
import { withdrawStates } from '@hengtai/contract/funds/withdraw/facts';
import { expect, test } from 'vitest';
import { operatorDetail } from '../navigation/account-cells.tsx';
import type { Step } from '../records/Steps.tsx';
import { approvalSteps } from './desk/approval/steps.tsx';
import { ieoSteps } from './trading/ieo/steps.tsx';
import { kycSteps } from './risk/kyc/steps.tsx';
import { withdrawSteps } from './funds/withdraw/steps.tsx';

const decided = { by: 'one', reviewedAt: 2, secondBy: null, createdAt: 1, updatedAt: 3 };
const approval = { needed: false, openId: null, maker: null, checker: null, submittedAt: null };
const asked = { maker: 'one', checker: 'two', createdAt: 1, decidedAt: 2, expiresAt: 9, required: 1, given: 0 };

const statesOf = (labels: Readonly<Record<number, string>>) => Object.keys(labels).map(Number);
/** Who did each step that is done, and when. */
const peopleOf = (steps: readonly Step[]) =>
  steps.flatMap(({ word, state, who, at }) => (state === 'done' ? [{ word, who, at }] : []));
const textOf = (steps: readonly Step[]) => steps.map(({ word, state }) => `${word} ${state}`).join(', ');

const withdraw = (state: number, more: object = {}, needed = false) =>
  withdrawSteps({ row: { ...decided, state, ...more }, approval: { ...approval, needed } } as never);
const ieo = (state: number, more: object = {}) =>
  ieoSteps({ row: { ...decided, state }, approval: { ...approval, ...more } } as never);
const kyc = (state: number, more: object = {}) =>
  kycSteps({ row: { ...decided, state }, approval: { ...approval, ...more } } as never);
const request = (state: number, more: object = {}, votes: { checker: string; at: number }[] = []) =>
  approvalSteps({ ...asked, permitUntil: null, state, ...more } as never, votes);

test.each([
  ['withdrawal', statesOf(withdrawStates).map((state) => withdraw(state))],
  ['subscription', statesOf(ieoStates).map((state) => ieo(state))],
  ['submission', statesOf(kycStates).map((state) => kyc(state))],
  ['request', statesOf(approvalStates).map((state) => request(state))],
])('in every state a %s has a first step that is done, and one place where it stands', (_noun, all) => {
  for (const steps of all) {
    expect(steps[0]).toMatchObject({ state: 'done', at: 1 });
    const order = steps.map(({ state }) => state).join(' ');
    expect(order).toMatch(/^(done )+(done|stopped|current( next)+)$/);
    expect(new Set(steps.map(({ word }) => word)).size).toBe(steps.length);
  }
});

test('a withdrawal passes a second person where one is needed, then the platform', () => {
  expect(textOf(withdraw(0))).toBe('申请 done, 审核 current, 打款 next, 完成 next');
  expect(textOf(withdraw(0, {}, true))).toBe('申请 done, 审核 current, 复核 next, 打款 next, 完成 next');
  expect(textOf(withdraw(1))).toBe('申请 done, 审核 done, 复核 current, 打款 next, 完成 next');
  expect(textOf(withdraw(3, { secondBy: 'two' }))).toBe('申请 done, 审核 done, 复核 done, 打款中 current, 完成 next');
  expect(textOf(withdraw(4))).toBe('申请 done, 审核 done, 打款 done, 已完成 done');
  expect(textOf(withdraw(5))).toBe('申请 done, 已驳回 stopped');
  expect(textOf(withdraw(6))).toBe('申请 done, 用户撤销 stopped');
  expect(textOf(withdraw(9))).toBe('申请 done, 审核 done, 打款失败 done, 已退回 stopped');
});

test('subscriptions and requests end with what they were for', () => {
  expect(textOf(ieo(0, { openId: 4, maker: 'one' }))).toBe('申请 done, 审核 done, 复核 current, 发放 next');
  expect(textOf(ieo(1))).toBe('申请 done, 审核 done, 发放 done');
  expect(textOf(kyc(2))).toBe('提交 done, 审核 done, 已驳回 stopped');
  expect(textOf(request(0, { required: 2, given: 1 }))).toBe('提交 done, 复核（1/2） current, 执行 next');
  expect(textOf(request(1))).toBe('提交 done, 复核 done, 执行 done');
  expect(textOf(request(1, { permitUntil: 5 }))).toBe('提交 done, 复核 done, 准许 done');
  expect(textOf(request(4))).toBe('提交 done, 复核 done, 执行失败 stopped');
});

test('names the maker and the checker, each with the own time', () => {
  const checked = { secondBy: 'two', reviewedAt: 7, updatedAt: 9 };
  const people = [
    { word: '审核', who: operatorDetail('one'), at: 4 },
    { word: '复核', who: operatorDetail('two'), at: 7 },
  ];
  const decision = { submittedAt: 4, maker: 'one', checker: 'two' };
  const row = { ...decided, ...checked };
  const steps = [
    withdrawSteps({ row: { ...row, state: 4 }, approval: { ...approval, ...decision } } as never),
    ieoSteps({ row: { ...row, state: 1 }, approval: { ...approval, ...decision } } as never),
    kycSteps({ row: { ...row, state: 1 }, approval: { ...approval, ...decision } } as never),
  ];
  for (const one of steps) expect(peopleOf(one).slice(1, 3)).toEqual(people);
  // Without a request, the time of the decision is the reviewer's.
  expect(peopleOf(withdraw(4, { reviewedAt: 7 }))[1]).toEqual({ word: '审核', who: operatorDetail('one'), at: 7 });

  const waiting = { openId: 3, maker: 'one', submittedAt: 4 };
  const reviewed = { word: '审核', who: operatorDetail('one'), at: 4 };
  const second = withdrawSteps({ row: { ...decided, state: 1 }, approval: { ...approval, ...waiting } } as never);
  for (const one of [second, ieo(0, waiting), kyc(0, waiting)]) expect(peopleOf(one)[1]).toEqual(reviewed);
  expect(textOf(kyc(0, waiting))).toBe('提交 done, 审核 done, 复核 current, 结果 next');
});

test('a request names each of its checkers with the own time, and who took it back', () => {
  const votes = [
    { checker: 'two', at: 5 },
    { checker: 'three', at: 6 },
  ];
  const [first, last] = [
    { word: '第一人复核', who: operatorDetail('two'), at: 5 },
    { word: '第二人复核', who: operatorDetail('three'), at: 6 },
  ];
  expect(textOf(request(0, { required: 2, given: 1 }, votes.slice(0, 1)))).toBe(
    '提交 done, 第一人复核 done, 复核（1/2） current, 执行 next',
  );
  expect(peopleOf(request(1, { required: 2, given: 2 }, votes)).slice(1, 3)).toEqual([first, last]);
  expect(request(5).at(-1)).toMatchObject({ word: '已撤回', who: operatorDetail('one'), at: 9 });
  expect(request(3).at(-1)).not.toHaveProperty('who');
});
