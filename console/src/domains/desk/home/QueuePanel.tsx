import { RightOutlined } from '@ant-design/icons';
import { home } from '@hengtai/contract/desk/home/calls';
import type { HomeQueue } from '@hengtai/contract/desk/home/schema';
import { countSpecs } from '@hengtai/contract/desk/notify/notification';
import { isReviewQueue } from '@hengtai/contract/desk/queue/work-queue';
import { useEffect, useRef } from 'react';
import { useRead } from '../../../api/hooks.ts';
import { useCounts } from '../../../api/notify.ts';
import { userAccount } from '../../../navigation/account-cells.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { usePageActive } from '../../../navigation/page-route.ts';
import { PanelState } from '../../../ui/chart/ChartPanel.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { exactDuration, roughDuration } from '../../../ui/value/duration.ts';
import { panelState } from './panel.tsx';
import { recordPathOf, riskText } from './queue-words.ts';

const REFETCH_MS = 15_000;
/** Pause after a change of the counts, so that a burst of events causes one request. */
const SETTLE_MS = 2_000;
const MINUTE_MS = 60_000;

/** What waits for the operator, the gravest queue first. The height is fixed, so that nothing below moves. */
export function QueuePanel() {
  const active = usePageActive();
  const query = useRead(home.queues, {}, { refetchMs: active && REFETCH_MS });
  useRefetchOnCounts(active, query.refetch);
  const { data, dataUpdatedAt } = query;
  const total = data?.reduce((sum, { count }) => sum + count, 0) ?? 0;
  return (
    <section className="ht-chart-panel ht-home-top" aria-labelledby="ht-home-queues" aria-busy={!data}>
      <header className="ht-chart-panel-head">
        <h2 id="ht-home-queues">待办</h2>
        {data && data.length > 0 && (
          <span className="ht-home-note">共 {total.toLocaleString('en-US')} 项，按风险排序</span>
        )}
      </header>
      <PanelState
        ready={data !== undefined}
        {...panelState(query)}
        empty={data?.length === 0 ? '现在没有等待您处理的事项。新的审核、复核和告警会出现在这里。' : undefined}
      >
        <QueueList queues={data ?? []} now={dataUpdatedAt} />
      </PanelState>
    </section>
  );
}

function QueueList({ queues, now }: { queues: readonly HomeQueue[]; now: number }) {
  return (
    // Focusable, so that the keyboard can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <ol className="ht-home-queues" aria-label="待办列表" tabIndex={0}>
      {queues.map((queue) => (
        <Queue key={queue.key} queue={queue} now={now} />
      ))}
    </ol>
  );
}

/** The stream pushes the counts within two seconds, so the queues follow them at once. */
function useRefetchOnCounts(active: boolean, refetch: () => unknown) {
  const counts = useCounts();
  const seen = useRef(counts);
  useEffect(() => {
    if (!active || seen.current === counts) return undefined;
    const timer = setTimeout(() => {
      seen.current = counts;
      refetch();
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [active, counts, refetch]);
}

function Queue({ queue, now }: { queue: HomeQueue; now: number }) {
  const { key, count, oldestAt, target, riskiest } = queue;
  const { label, path, query } = countSpecs[key];
  const waited = Math.max(now - oldestAt, 0);
  const isLate = target > 0 && waited > target * MINUTE_MS;
  const list = path + query;
  const start = isReviewQueue(key) ? `${list}${query ? '&' : '?'}sort=createdAt&queue=1` : list;
  const record = recordPathOf(queue);
  return (
    <li className="ht-home-queue" data-late={isLate}>
      <PageLink to={list}>{label}</PageLink>
      <b>{count.toLocaleString('en-US')}</b>
      <span className="ht-home-wait" title={waitTitle(waited, target)}>
        <i aria-hidden>
          <i style={{ inlineSize: `${target > 0 ? Math.min(100, (waited / (target * MINUTE_MS)) * 100) : 0}%` }} />
        </i>
        <span>
          {roughDuration(waited)}
          {isLate ? ' · 超时' : target > 0 && ` / ${roughDuration(target * MINUTE_MS)}`}
        </span>
      </span>
      <span className="ht-home-risk">
        <PageLink to={record} label={`查看${label}中风险最高的一项`}>
          {riskiest.amount !== null && <Money value={riskiest.amount} unit={riskiest.marketName ?? 'USDT'} />}
          {riskiest.amount === null && (riskiest.marketName ?? `#${riskiest.id}`)}
        </PageLink>
        <span title={riskText(queue, true)}>{riskText(queue)}</span>
        {riskiest.account !== null && userAccount(riskiest.account, riskiest.userId)}
      </span>
      <PageLink to={start} label={`开始处理${label}`}>
        开始 <RightOutlined aria-hidden />
      </PageLink>
    </li>
  );
}

const waitTitle = (waited: number, target: number): string =>
  `最久已等 ${exactDuration(Math.floor(waited / 1000) * 1000)}${target > 0 ? `，目标 ${exactDuration(target * MINUTE_MS)}` : '，未设目标'}`;
