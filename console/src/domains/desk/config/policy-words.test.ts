import type { ConfigRow } from '@hengtai/contract/desk/config/schema';
import { expect, test } from 'vitest';
import { groupsOf, zeroMeaningOf } from './policy-words.ts';
import { textOf } from './value.ts';

const row = (key: string, group: string): ConfigRow => ({
  id: 1,
  key,
  name: key,
  group,
  kind: 'num',
  str: '',
  num: '0',
  state: 0,
  min: null,
  max: null,
  remark: 'remark',
  editable: 1,
  by: null,
  changed: 0,
  updatedAt: 0,
  loosenedAt: null,
});

test('the limits of a policy follow it, and all other settings keep their group', () => {
  const rows = [
    row('policy.withdraw.pass', 'policies'),
    row('policy.agent.del', 'policies'),
    row('branchLimit.withdraw.pass', 'limits'),
    row('twoCheckers.withdraw.pass', 'limits'),
    row('houseLimit.withdraw.pass', 'limits'),
    row('branchLimit.gone', 'limits'),
    row('support.url', 'platform'),
  ];
  expect(groupsOf(rows).map((group) => group.map(({ key }) => key))).toEqual([
    [
      'policy.withdraw.pass',
      'branchLimit.withdraw.pass',
      'houseLimit.withdraw.pass',
      'twoCheckers.withdraw.pass',
      'policy.agent.del',
    ],
    ['branchLimit.gone'],
    ['support.url'],
  ]);
});

test('a limit of 0 has a text', () => {
  expect(zeroMeaningOf('branchLimit.asset.active')).toBe('单用户金额的 10 倍');
  expect(zeroMeaningOf('twoCheckers.asset.active')).toBe('不启用');
  expect(zeroMeaningOf('withdraw.limit24h')).toBeUndefined();
  expect(textOf(row('houseLimit.asset.active', ''))).toBe('单用户金额的 50 倍');
  expect(textOf({ ...row('houseLimit.asset.active', ''), num: '70000' })).toBe('70,000');
});
