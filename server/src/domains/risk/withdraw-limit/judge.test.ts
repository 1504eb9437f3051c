import { effectiveTerms, inheritedTerms } from '@hengtai/contract/risk/withdraw-limit/calls';
import {
  changedPairs,
  loosenedTermsOfCoin,
  loosenedTerms,
  withTerms,
} from '@hengtai/contract/risk/withdraw-limit/compare';
import { withdrawFeeOf } from '@hengtai/contract/risk/withdraw-limit/fee';
import type { EffectiveTerms, LimitTerms } from '@hengtai/contract/risk/withdraw-limit/schema';
import { describe, expect, test } from 'vitest';
import { findBrokenTerm } from './judge.steps.ts';

const coin = { withdrawMin: '1', withdrawMax: '100' };
const ofCoin = effectiveTerms(coin, undefined, undefined);
const termsWith = (terms: Partial<EffectiveTerms>): EffectiveTerms => ({ ...ofCoin, ...terms });

describe('the terms in force', () => {
  const level: LimitTerms = { ...inheritedTerms, withdrawState: 0, singleMax: '50', dayAmount: '200', feeRate: '0.01' };

  test('are those of the coin without a level and a group', () => {
    expect(ofCoin).toEqual({
      withdrawState: 1,
      singleMin: '1',
      singleMax: '100',
      dayAmount: '0',
      dayCount: 0,
      feeFixed: null,
      feeRate: null,
    });
  });

  test('are taken from the group before the level, field by field, also if they are zero', () => {
    const group: LimitTerms = { ...inheritedTerms, withdrawState: 1, dayAmount: '0', dayCount: 3 };
    expect(effectiveTerms(coin, level, group)).toEqual({
      withdrawState: 1,
      singleMin: '1',
      singleMax: '50',
      dayAmount: '0',
      dayCount: 3,
      feeFixed: null,
      feeRate: '0.01',
    });
  });
});

describe('a request', () => {
  const used = { usedAmount: '60', usedCount: 2 };

  test.each([
    ['0.999999999999999999', {}, 'min'],
    ['100.000000000000000001', {}, 'max'],
    ['100', {}, undefined],
    ['1000000', { singleMax: '0' }, undefined],
    ['10', { withdrawState: 0 as const }, 'closed'],
    ['40', { dayAmount: '100' }, undefined],
    ['40.000000000000000001', { dayAmount: '100' }, 'dayAmount'],
    ['1', { dayCount: 3 }, undefined],
    ['1', { dayCount: 2 }, 'dayCount'],
  ])('of %s under %j breaks %s', (amount, terms, broken) => {
    expect(findBrokenTerm(termsWith(terms), amount, used)).toBe(broken);
  });
});

test.each([
  [null, null, null],
  ['0', null, '0'],
  ['2', null, '2'],
  [null, '0.001', '5.123456'],
  ['0', '0.001', '0.123456'],
  ['2', '0.1', '14.345678'],
])('a fixed fee of %s and a rate of %s make %s', (feeFixed, feeRate, fee) => {
  const basis = { amount: '123.45678901', networkFee: '5', amountPrecision: 6 };
  expect(withdrawFeeOf({ feeFixed, feeRate }, basis)).toBe(fee);
});

describe('what loosens', () => {
  test.each([
    [{ withdrawState: 0 as const }, {}, ['withdrawState']],
    [{ singleMin: '2' }, {}, ['singleMin']],
    [{ singleMax: '99.999999999999999999' }, {}, ['singleMax']],
    [{}, { singleMax: '0' }, ['singleMax']],
    [{ dayAmount: '5' }, { dayAmount: '5.1' }, ['dayAmount']],
    [{ dayAmount: '5' }, {}, ['dayAmount']],
    [{ dayCount: 1 }, { dayCount: 2 }, ['dayCount']],
    [{ dayCount: 1 }, {}, ['dayCount']],
    [{}, { feeFixed: '0' }, ['feeFixed']],
    [{ feeRate: '0.01' }, { feeRate: '0.02' }, ['feeRate']],
    [{}, { withdrawState: 0 as const, singleMax: '0', feeFixed: '1' }, ['singleMax', 'feeFixed']],
    [{ withdrawState: 0 as const, singleMax: '5' }, { withdrawState: 0 as const, singleMax: '6' }, ['singleMax']],
    [{}, { withdrawState: 0 as const }, []],
    [{}, { singleMin: '2', singleMax: '50', dayAmount: '10', dayCount: 1 }, []],
    [{ dayAmount: '5', feeRate: '0.01' }, { dayAmount: '4', feeRate: '0.010' }, []],
  ])('from %j to %j: %j', (before, after, loosened) => {
    expect(loosenedTerms(termsWith(before), termsWith(after))).toEqual(loosened);
    expect(loosenedTerms(termsWith(before), termsWith(before))).toEqual([]);
  });

  const limits = [
    { ...inheritedTerms, level: 0, groupId: null, singleMax: '50' },
    { ...inheritedTerms, level: 2, groupId: null, singleMax: '500' },
    { ...inheritedTerms, level: null, groupId: 7, withdrawState: 1 as const },
  ];
  const gained = (tier: { level: number | null; groupId: number | null }, terms: Partial<LimitTerms>) =>
    loosenedTermsOfCoin({ coin, limits }, withTerms({ coin, limits }, tier, { ...inheritedTerms, ...terms }));

  test('a group loosens if it does for the users of any level', () => {
    const group = { level: null, groupId: 7 };
    expect(gained(group, { withdrawState: 1, singleMax: '50' })).toEqual([]);
    expect(gained(group, { withdrawState: 1, singleMax: '51' })).toEqual(['singleMax']);
    expect(gained({ level: 0, groupId: null }, {})).toEqual(['singleMax']);
  });

  test('a closed level loosens what an open group inherits from it', () => {
    const level = { level: 0, groupId: null };
    expect(gained(level, { withdrawState: 0, singleMax: '50' })).toEqual([]);
    expect(gained(level, { withdrawState: 0, singleMax: '50000' })).toEqual(['singleMax']);
    const after = withTerms({ coin, limits }, level, { ...inheritedTerms, singleMax: '40' });
    expect(changedPairs({ coin, limits }, after).map(({ groupId }) => groupId)).toEqual([null, 7]);
  });
});
