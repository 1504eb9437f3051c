import type { AutoBudget } from '@hengtai/contract/risk/auto-payout/schema';
import { expect, test } from 'vitest';
import { budgetOf, budgetWarnings, draftOf, newDraft } from './draft.ts';
import { budgetChanges } from './words.ts';

const budget: AutoBudget = {
  on: true,
  dayAmount: '1000',
  dayCount: 50,
  userDayAmount: '200.5',
  largestUnverified: '0',
  largestBasic: '10',
  largestAdvanced: '100',
  firstByHand: true,
  reviewPercent: 5,
};

test('a budget is sent as it was read, with canonical amounts', () => {
  expect(budgetOf(draftOf(budget))).toEqual({ value: budget });
  expect(budgetOf({ ...draftOf(budget), dayAmount: '1000.50' })).toMatchObject({ value: { dayAmount: '1000.5' } });
});

test('what is missing or out of bounds is named', () => {
  const draft = draftOf(budget);
  expect(budgetOf(newDraft())).toEqual({ problem: '请输入每日额度' });
  expect(budgetOf({ ...draft, dayCount: '1.5' })).toEqual({ problem: '请输入每日笔数，为整数' });
  expect(budgetOf({ ...draft, dayCount: '2147483648' })).toHaveProperty('problem');
  expect(budgetOf({ ...draft, reviewPercent: '101' })).toEqual({ problem: '请输入复查比例，为 0 至 100 的整数' });
});

test('limits that another one makes void are named', () => {
  expect(budgetWarnings(budget)).toEqual([]);
  expect(budgetWarnings({ ...budget, largestBasic: '200.500000000000000001' })).toEqual([
    '初级认证单笔额度大于单个用户的每日额度',
  ]);
  expect(budgetWarnings({ ...budget, dayCount: 0 })).toEqual(['有额度为 0，不会自动通过任何提现']);
});

test('changes say what loosens and what tightens', () => {
  const after = { ...budget, dayAmount: '1000.000000000000000001', dayCount: 1, firstByHand: false, reviewPercent: 50 };
  const found = budgetChanges(budget, after, 'USDT');
  expect(found.map(({ field, effect }) => [field, effect])).toEqual([
    ['dayAmount', '放宽'],
    ['dayCount', '收紧'],
    ['firstByHand', '放宽'],
    ['reviewPercent', '收紧'],
  ]);
  expect(found[0]).toMatchObject({ before: '1,000 USDT', after: '1,000.000000000000000001 USDT' });
  const off = { ...budget, on: false };
  expect(budgetChanges(off, budget, 'USDT')).toEqual([{ field: 'on', before: '关闭', after: '开启', effect: '放宽' }]);
  expect(budgetChanges(off, { ...off, dayCount: 60 }, 'USDT')).toMatchObject([{ field: 'dayCount', effect: '放宽' }]);
  expect(budgetChanges(null, budget, 'USDT')).toHaveLength(9);
});
