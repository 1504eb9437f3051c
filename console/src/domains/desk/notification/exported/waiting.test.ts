import { countSpecs, notificationSpecs } from '@hengtai/contract/desk/notify/notification';
import { nouns } from '@hengtai/contract/index';
import { alarmText } from '@hengtai/contract/house/alarm/calls';
import { alarmKinds } from '@hengtai/contract/house/alarm/facts';
import type { CallSpec } from '@hengtai/contract/wire/endpoint';
import { filtersOf } from '@hengtai/contract/wire/list';
import { targetTypes } from '@hengtai/contract/authority/target';
import { expect, test } from 'vitest';
import { pages } from '../../../../app/pages.ts';
import { matchPage, setPages } from '../../../../navigation/page-table.ts';
import { pathOfTarget } from '../../../../navigation/target-path.ts';
import { badgesOf, notificationParts, pathOfNotification, shortCount, totalOf, waitingCountsOf } from './waiting.ts';

setPages(pages);

const counts = { withdrawReview: 2, withdrawSecond: 4, withdrawUnknown: 1, rechargeWaiting: 9, approvalOpen: 4 };

test('badges add up the tasks of a page and ignore those that wait for others', () => {
  expect(badgesOf(counts)).toEqual({ '/withdraw': 3, '/approval': 4 });
  expect(totalOf(counts)).toBe(7);
  expect([badgesOf({}), totalOf({})]).toEqual([{}, 0]);
});

test('the bell lists every kind with pending items', () => {
  expect(waitingCountsOf({ ...counts, rechargeHeld: 0 }).map(({ label, count }) => [label, count])).toEqual([
    ['待审核提现', 2],
    ['待复核提现', 4],
    ['打款结果不明', 1],
    ['待确认充值', 9],
    ['待复核审批', 4],
  ]);
});

test('shortens counts above 99', () => {
  expect([99, 100].map(shortCount)).toEqual(['99', '99+']);
});

test('a notification has a link to its record and a text with account and amount', () => {
  expect(pathOfNotification({ refType: 'withdraw', refId: 7 })).toBe('/withdraw?open=7');
  expect(pathOfNotification({ refType: 'recharge', refId: 7 })).toBe('/recharge?id=7');
  expect(pathOfNotification({ refType: 'session', refId: 7 })).toBe('/session?id=7');
  expect(pathOfNotification({ refType: 'fourEyes', refId: 0 })).toBe('/approval?state=0&fourEyes=1');
  expect(pathOfNotification({ refType: 'credential', refId: 0 })).toBe('/session');
  expect(pathOfNotification({ refType: 'autoPayout', refId: 7 })).toBe('/auto-payout?open=7');
  expect(pathOfNotification({ refType: 'export', refId: 7 })).toBeUndefined();
  const approvalRow = {
    noun: 'approval',
    detail: 'withdraw.pass',
    account: 'bob',
    marketName: null,
    amount: '12000.5',
  };
  expect(notificationParts(approvalRow as never)).toEqual(['通过提现', 'bob', '12,000.5 USDT']);
  const stop = { ...approvalRow, noun: 'withdraw', refType: 'autoPayout', detail: '', account: null };
  expect(notificationParts({ ...stop, marketName: 'BTC', amount: null } as never)).toEqual(['BTC']);
});

const pageAt = (address: string) => matchPage(new URL(address, 'http://console').pathname);

test.each(Object.entries(countSpecs))('the count %s links to a page whose list has its filter', (_key, spec) => {
  const page = pageAt(spec.path);
  expect(page).toBeDefined();
  const calls: Record<string, Record<string, CallSpec>> = nouns;
  const filters = Object.values(calls[page?.page.noun ?? ''] ?? {}).flatMap(({ list }) =>
    list ? filtersOf(list) : [],
  );
  const params = [...new URLSearchParams(spec.query).keys()];
  expect(filters.map(({ field }) => field)).toEqual(expect.arrayContaining(params));
});

test('every notification except exports links to a page', () => {
  const kinds = [...new Set(Object.values(notificationSpecs).map(({ noun }) => noun)), 'market'];
  const withoutPage = kinds.filter((refType) => {
    const path = pathOfNotification({ refType, refId: 7 });
    // Notifications of queues name the record that waits.
    return !['export', 'queue'].includes(refType) && (path === undefined || pageAt(path) === undefined);
  });
  expect(withoutPage).toEqual([]);
});

test('every alarm kind has texts for what happened and what to do', () => {
  for (const kind of Object.keys(alarmKinds)) {
    expect(alarmText(kind).happened).not.toBe(alarmText('unheard of').happened);
    expect(alarmText(kind).next).not.toBe(alarmText('unheard of').next);
  }
});

/** Target types of alarms and commands. */
const withPage = ['user', 'withdraw', 'recharge', 'auth', 'ieo', 'trade', 'future', 'second', 'follow', 'entry'];

test.each([...withPage, 'market', 'plan', 'config', 'announce', 'signal'])('a %s has a name and a page', (noun) => {
  const path = pathOfTarget({ targetType: noun, targetId: 7 });
  expect(path && pageAt(path)).toBeDefined();
  expect(targetTypes).toHaveProperty(noun);
});
