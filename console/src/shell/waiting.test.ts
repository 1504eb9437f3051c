import { expect, test } from 'vitest';
import { badgesOf, factWords, pathOfFact, shortCount, totalOf, waitingOf } from './waiting.ts';

const counts = { withdrawReview: 2, withdrawSecond: 4, withdrawUnknown: 1, rechargeWaiting: 9, approvalOpen: 4 };

test('badges add up what is to be done on a page, and what waits for somebody else is no badge', () => {
  expect(badgesOf(counts)).toEqual({ '/withdraw': 3, '/approval': 4 });
  expect(totalOf(counts)).toBe(7);
  expect([badgesOf({}), totalOf({})]).toEqual([{}, 0]);
});

test('the bell lists every kind of which something waits', () => {
  expect(waitingOf({ ...counts, rechargeHeld: 0 }).map(({ label, count }) => [label, count])).toEqual([
    ['待审核提现', 2],
    ['待复核提现', 4],
    ['打款结果不明', 1],
    ['待确认充值', 9],
    ['待复核审批', 4],
  ]);
});

test('numbers stay short', () => {
  expect([99, 100].map(shortCount)).toEqual(['99', '99+']);
});

test('a fact leads to its record, and says whose and how much', () => {
  expect(pathOfFact({ refType: 'withdraw', refId: 7 })).toBe('/withdraw?open=7');
  expect(pathOfFact({ refType: 'recharge', refId: 7 })).toBe('/recharge?id=7');
  expect(pathOfFact({ refType: 'session', refId: 7 })).toBe('/session?id=7');
  expect(pathOfFact({ refType: 'approval', refId: 7 })).toBe('/approval?open=7');
  expect(pathOfFact({ refType: 'approval', refId: 0 })).toBe('/approval?state=0&fourEyes=1');
  expect(pathOfFact({ refType: 'trade', refId: 7 })).toBeUndefined();
  const asked = { noun: 'approval', detail: 'withdraw.pass', account: 'bob', marketName: null, amount: '12000.5' };
  expect(factWords({ ...asked, noun: 'approval' } as never)).toBe('通过提现 · bob · 12,000.5 USDT');
});
