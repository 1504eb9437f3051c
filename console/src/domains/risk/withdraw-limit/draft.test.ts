import { inheritedTerms } from '@hengtai/contract/risk/withdraw-limit/calls';
import type { LimitList, LimitTerms, LimitVersion } from '@hengtai/contract/risk/withdraw-limit/schema';
import { expect, test } from 'vitest';
import { draftOf, termsOf } from './draft.ts';
import { feeText, inheritedText, termChanges, tiersOf } from './words.ts';

const terms: LimitTerms = { ...inheritedTerms, withdrawState: 0, singleMax: '50', dayCount: 3, feeRate: '0.001' };
const coin = { marketId: 1, marketName: 'USDT', amountPrecision: 6, withdrawMin: '1', withdrawMax: '0' };
const version = (part: Partial<LimitVersion>): LimitVersion => ({
  ...inheritedTerms,
  id: 1,
  marketId: 1,
  level: null,
  groupId: null,
  version: 1,
  by: 'admin',
  reason: '',
  createdAt: 1,
  ...part,
});
const list: LimitList = {
  coins: [coin],
  groups: [{ id: 7, name: 'VIP', forAgents: true, members: 0, updatedAt: 1 }],
  limits: [version({ level: 0, singleMax: '50' }), version({ level: 0, marketId: 2, singleMax: '1' })],
};

test('terms are sent as they were read; empty inherits', () => {
  expect(termsOf(draftOf(terms))).toEqual({ value: terms });
  expect(termsOf({ ...draftOf(terms), singleMax: ' 50.50 ' })).toMatchObject({ value: { singleMax: '50.5' } });
  expect(termsOf(draftOf(inheritedTerms))).toEqual({ value: inheritedTerms });
});

test('the rate of the fee is typed in percent and sent as a ratio', () => {
  expect(draftOf(terms).feeRate).toBe('0.1');
  expect(termsOf({ ...draftOf(terms), feeRate: '0.25' })).toMatchObject({ value: { feeRate: '0.0025' } });
  expect(termsOf({ ...draftOf(terms), feeRate: '10' })).toMatchObject({ value: { feeRate: '0.1' } });
});

test('what contradicts itself or is no number is named', () => {
  const draft = draftOf(terms);
  expect(termsOf({ ...draft, singleMin: '51' })).toEqual({ problem: '单笔最大不能小于单笔最小' });
  expect(termsOf({ ...draft, singleMin: '51', singleMax: '0' })).toHaveProperty('value');
  expect(termsOf({ ...draft, feeRate: '10.01' })).toEqual({ problem: '手续费率不能超过 10%' });
  expect(termsOf({ ...draft, feeRate: '0.12345678901234567' })).toEqual({ problem: '手续费率最多 16 位小数' });
  expect(termsOf({ ...draft, feeRate: '0.1234567890123456' })).toMatchObject({
    value: { feeRate: '0.001234567890123456' },
  });
  expect(termsOf({ ...draft, dayCount: '1.5' })).toEqual({ problem: '每日笔数须为整数' });
  expect(termsOf({ ...draft, dayAmount: '.' })).toEqual({ problem: '每日额度格式不正确' });
});

test('levels and groups have their terms of the coin', () => {
  expect(tiersOf(list, 1).map(({ name, current }) => [name, current?.singleMax])).toEqual([
    ['未认证', '50'],
    ['初级认证', undefined],
    ['高级认证', undefined],
    ['VIP', undefined],
  ]);
});

test('changes say what loosens', () => {
  const [unverified, , , vip] = tiersOf(list, 1);
  if (!unverified || !vip) throw new Error('a tier is missing');
  expect(termChanges(list, coin, unverified, { ...inheritedTerms, singleMax: '50', dayCount: 0 })).toEqual([
    { name: 'dayCount', before: '继承', after: '不限', loosens: false },
  ]);
  expect(termChanges(list, coin, unverified, { ...inheritedTerms, dayAmount: '1000' })).toEqual([
    { name: 'singleMax', before: '50 USDT', after: '继承', loosens: true },
    { name: 'dayAmount', before: '继承', after: '1,000 USDT', loosens: false },
  ]);
  expect(termChanges(list, coin, vip, { ...inheritedTerms, singleMax: '51' })).toMatchObject([{ loosens: true }]);
  expect(inheritedText(coin, unverified.tier, 'singleMax')).toBe('不限');
  expect(inheritedText(coin, vip.tier, 'singleMax')).toBe('用户认证等级的值');
});

test.each([
  [null, null, '由平台决定'],
  [null, '0.001', '网络手续费 + 数量 × 0.1%'],
  [null, '0.000000000000000001', '网络手续费 + 数量 × 0.0000000000000001%'],
  ['2', null, '2 USDT'],
  ['0', '0', '0 USDT'],
])('a fixed fee of %s and a rate of %s are %s', (feeFixed, feeRate, text) => {
  expect(feeText({ feeFixed, feeRate }, 'USDT')).toBe(text);
});
