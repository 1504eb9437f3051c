import { alarmKinds, countSpecs, notificationSpecs } from '@hengtai/contract/notify';
import { nouns } from '@hengtai/contract/index';
import { alarmText } from '@hengtai/contract/alarm';
import type { CallSpec } from '@hengtai/contract/endpoint';
import { targetTypes } from '@hengtai/contract/target';
import { expect, test } from 'vitest';
import { matchPage } from '../page-match.ts';
import { pathOfTarget } from './TargetLink.tsx';
import { badgesOf, notificationText, pathOfNotification, shortCount, totalOf, waitingOf } from './waiting.ts';

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
  expect(pathOfNotification({ refType: 'withdraw', refId: 7 })).toBe('/withdraw?open=7');
  expect(pathOfNotification({ refType: 'recharge', refId: 7 })).toBe('/recharge?id=7');
  expect(pathOfNotification({ refType: 'session', refId: 7 })).toBe('/session?id=7');
  expect(pathOfNotification({ refType: 'fourEyes', refId: 0 })).toBe('/approval?state=0&fourEyes=1');
  expect(pathOfNotification({ refType: 'export', refId: 7 })).toBeUndefined();
  const asked = { noun: 'approval', detail: 'withdraw.pass', account: 'bob', marketName: null, amount: '12000.5' };
  expect(notificationText({ ...asked, noun: 'approval' } as never)).toBe('通过提现 · bob · 12,000.5 USDT');
});

const pageAt = (address: string) => matchPage(new URL(address, 'http://console').pathname);

test.each(Object.entries(countSpecs))('the number %s leads to a page whose list has its filter', (_key, spec) => {
  const page = pageAt(spec.path);
  expect(page).toBeDefined();
  const calls: Record<string, Record<string, CallSpec>> = nouns;
  const filters = Object.values(calls[page?.page.noun ?? ''] ?? {}).flatMap(({ list }) => list?.filters ?? []);
  const named = [...new URLSearchParams(spec.query).keys()];
  expect(filters.map(({ field }) => field)).toEqual(expect.arrayContaining(named));
});

test('every fact that is not about an export leads to a page', () => {
  const kinds = [...new Set(Object.values(notificationSpecs).map(({ noun }) => noun)), 'market'];
  const lost = kinds.filter((refType) => {
    const path = pathOfNotification({ refType, refId: 7 });
    return refType !== 'export' && (path === undefined || pageAt(path) === undefined);
  });
  expect(lost).toEqual([]);
});

test('every kind of alarm says what happened and what to do', () => {
  for (const kind of Object.keys(alarmKinds)) {
    expect(alarmText(kind).happened).not.toBe(alarmText('unheard of').happened);
    expect(alarmText(kind).next).not.toBe(alarmText('unheard of').next);
  }
});

/** What alarms and commands are about. A message is read in its conversation, which has the user's name. */
const withPage = ['user', 'withdraw', 'recharge', 'auth', 'ieo', 'trade', 'future', 'second', 'follow', 'entry'];

test.each([...withPage, 'market', 'plan', 'config', 'announce', 'signal'])('a %s has a name and a page', (noun) => {
  const path = pathOfTarget({ targetType: noun, targetId: 7 });
  expect(path && pageAt(path)).toBeDefined();
  expect(targetTypes).toHaveProperty(noun);
});
