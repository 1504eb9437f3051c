import { notificationDetail } from '@hengtai/contract/desk/notify/notification-text';
import { notificationSpecs } from '@hengtai/contract/desk/notify/notification';
import type { NotificationRow } from '@hengtai/contract/desk/notify/schema';
import { type MouseEvent, memo } from 'react';
import { userAccount } from '../../../navigation/account-cells.tsx';
import { usePageRoute } from '../../../navigation/page-route.ts';
import { Money } from '../../../ui/value/Money.tsx';
import { PanelState } from '../../../ui/chart/ChartPanel.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { useFeed } from './use-feed.ts';

/** Live notifications of the operator's scope. */
export function FeedPanel() {
  const { notifications, live, error, onRetry } = useFeed();
  return (
    <section className="ht-chart-panel ht-home-top" aria-labelledby="ht-home-feed" aria-busy={!notifications && !error}>
      <header className="ht-chart-panel-head">
        <h2 id="ht-home-feed">实时动态</h2>
        {notifications && <span className="ht-home-note">{live ? '实时更新' : '定时更新'}</span>}
      </header>
      <PanelState
        ready={notifications !== undefined}
        error={error}
        onRetry={onRetry}
        empty={notifications?.length === 0 ? '近期没有动态。有充值、提现、注册时会出现在这里。' : undefined}
      >
        <FeedList notifications={notifications ?? []} />
      </PanelState>
    </section>
  );
}

function FeedList({ notifications }: { notifications: readonly NotificationRow[] }) {
  return (
    // Focusable, so that the keyboard can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="ht-home-feed" role="region" aria-label="实时动态列表" tabIndex={0}>
      <ol>
        {notifications.map((notification) => (
          <FeedLine key={notification.id} notification={notification} />
        ))}
      </ol>
    </div>
  );
}

/** The lists that accept a record id as a filter. */
const lists: Readonly<Record<string, string>> = {
  user: '/user',
  recharge: '/recharge',
  withdraw: '/withdraw',
  trade: '/trade/order',
  follow: '/follow',
};

function pathOf({ noun, refType, refId }: NotificationRow): string | undefined {
  if (noun === 'approval') return '/approval?state=0';
  const list = lists[refType];
  if (refType === 'market' && noun === 'trade') return `/trade/order?marketId=${refId}&state=4`;
  // The drawer of this page opens an order in any state.
  if (refType === 'future') return `/future/open?open=${refId}`;
  return list && `${list}?id=${refId}`;
}

const FeedLine = memo(function FeedLine({ notification }: { notification: NotificationRow }) {
  const { open } = usePageRoute();
  const { at, type, userId, account, amount, marketName } = notification;
  const { label, rings } = notificationSpecs[type] ?? { label: type, rings: false };
  const path = pathOf(notification);
  const detail = notificationDetail(notification);
  const onClick = (event: MouseEvent) => {
    if (!path || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(path);
  };
  return (
    <li>
      <Time value={at} clock />
      <span className="ht-home-fact" data-rings={rings}>
        {path ? (
          <a href={path} onClick={onClick}>
            {label}
          </a>
        ) : (
          label
        )}
        {detail && <span>{detail}</span>}
      </span>
      <span className="ht-home-who" title={account ?? undefined}>
        {userId === null ? account : userAccount(account, userId)}
      </span>
      {/* The amount of an approval is its value in USDT and has no market. */}
      {amount !== null && <Money value={amount} unit={marketName ?? 'USDT'} />}
    </li>
  );
});
