import type { RuleContent } from '@hengtai/contract/risk/rule/schema';
import { expect, test } from 'vitest';
import { contentOf, draftOf, emptyCondition, newDraft, unknownHitsOf, withCondition } from './draft.ts';

const stored: RuleContent = {
  name: '新地址大额提现',
  conditions: [
    { fact: 'amountUsdt', op: 'gte', value: '5000' },
    { fact: 'riskFirstAddress', op: 'is', value: true },
    { fact: 'network', op: 'in', value: ['TRC20'] },
  ],
  actions: { points: 40, hold: true, people: 2, manual: false, openCase: false, stopCoin: false },
  unknownHits: false,
};

test('a stored rule survives the form unchanged', () => {
  expect(contentOf(draftOf(stored))).toEqual({ value: stored });
});

test('amounts are sent in canonical form, and negative ones are possible', () => {
  const typed = (value: string) => contentOf({ ...newDraft(), name: ' 跌 ', conditions: [condition(value)] });
  const condition = (value: string) => ({ fact: 'priceMove1h' as const, op: 'lt' as const, value, key: 0 });
  expect(typed('-05.50')).toMatchObject({ value: { name: '跌', conditions: [{ value: '-5.5' }] } });
  expect(typed('-')).toEqual({ problem: '请输入1小时涨跌幅' });
});

test('the first missing value is named', () => {
  const draft = { ...newDraft(), name: '规则' };
  expect(contentOf(newDraft())).toEqual({ problem: '请输入名称' });
  expect(contentOf(draft)).toEqual({ problem: '请输入估值' });
  const choice = { ...emptyCondition('network'), key: 1 };
  expect(contentOf({ ...draft, conditions: [choice] })).toEqual({ problem: '请选择网络' });
});

test('unknown conditions count as a hit for rules that stop something, until the operator chooses', () => {
  const draft = newDraft();
  const holding = { ...draft, actions: { ...draft.actions, hold: true } };
  expect([draft, holding, { ...holding, unknownHits: false }].map(unknownHitsOf)).toEqual([false, true, false]);
});

test('lines keep their keys while conditions are removed and added, at most ten', () => {
  let draft = withCondition(withCondition(newDraft()));
  draft = withCondition({ ...draft, conditions: draft.conditions.filter(({ key }) => key !== 1) });
  expect(draft.conditions.map(({ key }) => key)).toEqual([0, 2, 3]);
  for (let count = 0; count < 12; count += 1) draft = withCondition(draft);
  expect(draft.conditions).toHaveLength(10);
});
