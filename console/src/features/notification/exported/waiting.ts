import {
  type CountKey,
  type CountSpec,
  type NotificationNoun,
  countKeys,
  countSpecs,
  notificationDetail,
} from '@hengtai/contract/notify';
import type { Counts, NotificationRow } from '@hengtai/contract/notify.schema';
import { shorten } from '../../../ui/decimal.ts';
import { FOUR_EYES_PATH } from '../../../navigation/four-eyes-path.ts';

export interface WaitingCount extends CountSpec {
  key: CountKey;
  count: number;
}

/** Pending items by kind in table order, without empty kinds. */
export const waitingCountsOf = (counts: Counts): WaitingCount[] =>
  countKeys.flatMap((key) => {
    const count = counts[key] ?? 0;
    return count > 0 ? [{ ...countSpecs[key], key, count }] : [];
  });

/** Menu counts by path. */
export function badgesOf(counts: Counts): Readonly<Record<string, number>> {
  const badges: Record<string, number> = {};
  for (const { path, badge, count } of waitingCountsOf(counts)) if (badge) badges[path] = (badges[path] ?? 0) + count;
  return badges;
}

/** Sum of all badges, for the window title. */
export const totalOf = (counts: Counts): number =>
  waitingCountsOf(counts).reduce((sum, { badge, count }) => (badge ? sum + count : sum), 0);

/** Count with at most two digits, then `99+`. */
export const shortCount = (count: number): string => (count > 99 ? '99+' : String(count));

/** Address of the record of a notification by `refType`; exports have a panel instead. */
const notificationPaths: Readonly<Record<Exclude<NotificationNoun, 'export'> | 'market', (id: number) => string>> = {
  user: (id) => `/user?open=${id}`,
  recharge: (id) => `/recharge?id=${id}`,
  withdraw: (id) => `/withdraw?open=${id}`,
  auth: (id) => `/auth?open=${id}`,
  approval: (id) => `/approval?open=${id}`,
  alarm: (id) => `/alarm?open=${id}`,
  command: (id) => `/command?open=${id}`,
  plan: () => '/plan?planState=2',
  trade: (id) => `/trade/order?open=${id}`,
  ieo: (id) => `/ieo/review?open=${id}`,
  second: () => '/second/open',
  future: (id) => `/future/open?open=${id}`,
  follow: (id) => `/follow?open=${id}`,
  service: (id) => `/service?open=${id}`,
  session: (id) => `/session?id=${id}`,
  fourEyes: () => FOUR_EYES_PATH,
  // Notifications about a market concern the cancellation of all its orders.
  market: (id) => `/trade/order?marketId=${id}&state=4`,
};

/** Address of the record of a notification; undefined if it has no page. */
export function pathOfNotification({ refType, refId }: Pick<NotificationRow, 'refType' | 'refId'>): string | undefined {
  return Object.hasOwn(notificationPaths, refType)
    ? notificationPaths[refType as keyof typeof notificationPaths](refId)
    : undefined;
}

/** Text of a notification beyond its type: `通过提现 · bob · 100 USDT`. Approval amounts are values in USDT. */
export function notificationText(notification: NotificationRow): string {
  const coin = notification.marketName ?? (notification.noun === 'approval' ? 'USDT' : '');
  const amount = notification.amount === null ? '' : `${shorten(notification.amount, 8).text} ${coin}`.trim();
  const market = notification.noun === 'plan' || notification.noun === 'second' ? notification.marketName : null;
  return [market, notificationDetail(notification), notification.account, amount].filter(Boolean).join(' · ');
}
