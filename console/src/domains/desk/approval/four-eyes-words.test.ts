import { expect, test } from 'vitest';
import { exceptionsOf, lockedPolicyWords } from './four-eyes-words.ts';
import { permitText } from './permit.ts';

test('a permit says until when the maker may act, and afterwards that it ended', () => {
  const until = Date.UTC(2026, 0, 1, 4, 30, 20);
  expect(permitText({ permitUntil: until }, 'Asia/Shanghai')).toBe('准许提交人在 12:30 前操作一次');
  expect(permitText({ permitUntil: null }, 'Asia/Shanghai')).toBeUndefined();
});

test('the lock switches a policy on as it is installed, or always, and leaves the others', () => {
  const policy = { name: '', num: '7', state: 0 };
  expect(lockedPolicyWords({ ...policy, key: 'withdraw.pass' })).toBe('超过 10,000 USDT');
  expect(lockedPolicyWords({ ...policy, key: 'market.save' })).toBe('始终');
  expect(lockedPolicyWords({ ...policy, key: 'withdraw.pass', state: 2 })).toBe('超过 7 USDT');
});

test('the exceptions of a request are read from what was stored, whatever it is', () => {
  expect(exceptionsOf({ exceptions: ['plan.save'] })).toEqual(['plan.save']);
  for (const input of [null, {}, 'x', { exceptions: 1 }, { exceptions: [1] }]) expect(exceptionsOf(input)).toEqual([]);
});
