import { POLICY } from '@hengtai/contract/desk/approval/calls';
import { expect, test } from 'vitest';
import { limitWords } from './lock-preview.ts';

const noLimits = { policy: 'asset.active', branch: '0', house: '0', twoCheckers: '0' };

test.each([
  [POLICY.off, '0', noLimits, '不复核，没有限额'],
  [POLICY.always, '0', noLimits, '每一笔都须一名复核员'],
  [
    POLICY.always,
    '0',
    { ...noLimits, twoCheckers: '20000' },
    '每一笔都须一名复核员，同一用户合计超过 20,000 USDT 须两名',
  ],
  [
    POLICY.above,
    '1000',
    noLimits,
    '24 小时内合计不超过同一用户 1,000、同一分支 10,000、全平台 50,000 USDT 时无需复核；超过其一须一名复核员',
  ],
  [
    POLICY.above,
    '0.5',
    { ...noLimits, branch: '1234567.25', house: '7654321', twoCheckers: '900' },
    '24 小时内合计不超过同一用户 0.5、同一分支 1,234,567.25、全平台 7,654,321 USDT 时无需复核；' +
      '超过其一须一名复核员，同一用户合计超过 900 USDT 须两名',
  ],
])('mode %i, limit %s', (state, num, limits, words) => {
  expect(limitWords({ state, num }, limits)).toBe(words);
});
