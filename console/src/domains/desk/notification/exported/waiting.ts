import { notificationDetail } from '@hengtai/contract/desk/notify/notification-text';
import { type CountKey, type CountSpec, countKeys, countSpecs } from '@hengtai/contract/desk/notify/notification';
import type { Counts, NotificationRow } from '@hengtai/contract/desk/notify/schema';
import { shorten } from '../../../../ui/value/decimal.ts';
import { FOUR_EYES_PATH } from '@hengtai/contract/authority/target';
import { pathOfTarget } from '../../../../navigation/target-path.ts';

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
  for (const { path, badge, count } of waitingCountsOf(counts))
    if (badge !== false) badges[path] = (badges[path] ?? 0) + count;
  return badges;
}

/** Sum of all badges, for the window title. */
export const totalOf = (counts: Counts): number =>
  waitingCountsOf(counts).reduce((sum, { badge, count }) => (badge === false ? sum : sum + count), 0);

/** Count with at most two digits, then `99+`. */
export const shortCount = (count: number): string => (count > 99 ? '99+' : String(count));

/** Pages of records whose notifications lead to another page than links to the record. */
const notificationPaths: Readonly<Record<string, (id: number) => string>> = {
  recharge: (id) => `/recharge?id=${id}`,
  plan: () => '/plan?planState=2',
  second: () => '/second/open',
  fourEyes: () => FOUR_EYES_PATH,
  // An operator who did not change it looks for sessions of a stranger.
  credential: () => '/session',
  // Notifications about a market concern the cancellation of all its orders.
  market: (id) => `/trade/order?marketId=${id}&state=4`,
};

/** Address of the record of a notification; undefined if it has no page. Exports have a panel instead. */
export const pathOfNotification = ({
  refType,
  refId,
}: Pick<NotificationRow, 'refType' | 'refId'>): string | undefined =>
  Object.hasOwn(notificationPaths, refType)
    ? notificationPaths[refType]?.(refId)
    : pathOfTarget({ targetType: refType, targetId: refId });

/** Text of a notification beyond its type: `通过提现`, `bob`, `100 USDT`. Approval amounts are values in USDT. */
export function notificationParts(notification: NotificationRow): string[] {
  const coin = notification.marketName ?? (notification.noun === 'approval' ? 'USDT' : '');
  const amount = notification.amount === null ? '' : `${shorten(notification.amount, 8)} ${coin}`.trim();
  const isAboutMarket = ['plan', 'second'].includes(notification.noun) || notification.refType === 'autoPayout';
  const market = isAboutMarket ? notification.marketName : null;
  return [market, notificationDetail(notification), notification.account, amount].filter((part): part is string =>
    Boolean(part),
  );
}
