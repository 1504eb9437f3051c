import { home, homeCards } from '@hengtai/contract/desk/home/calls';
import { Suspense } from 'react';
import { useRead } from '../../../api/hooks.ts';
import { useMe } from '../../../api/me.ts';
import { PageError } from '../../../navigation/PageError.tsx';
import { usePageRoute } from '../../../navigation/page-route.ts';
import { PageHeading } from '../../../ui/page/PageHeading.tsx';
import { usePreference } from '../../../ui/browser/preference.ts';
import { formatClock, useZone } from '../../../ui/value/zone.ts';
import { Card } from './Card.tsx';
import { HomePanels } from './HomePanels.tsx';
import { useHomeChart } from './home-chart.ts';
import { QueuePanel } from './QueuePanel.tsx';
import { WalletLine } from './WalletLine.tsx';
import './home.css';
import { lazyComponent } from '../../../ui/page/lazy-component.tsx';

// Only the admin of a new installation needs them.
const FeedPanel = lazyComponent(async () => (await import('./FeedPanel.tsx')).FeedPanel);
const FirstSteps = lazyComponent(async () => (await import('./FirstSteps.tsx')).FirstSteps);

const parseFlag = (stored: unknown): boolean | undefined => (typeof stored === 'boolean' ? stored : undefined);
const REFETCH_MS = 15_000;
const TREND_MS = 60_000;

/** 首页: what waits, then the figures of today, then charts of the last thirty days. */
export function HomePage() {
  const { active } = usePageRoute();
  const zone = useZone();
  const { data, error, dataUpdatedAt, refetch } = useRead(home.state, {}, { refetchMs: active && REFETCH_MS });
  const trends = useRead(home.trends, {}, { refetchMs: active && TREND_MS });
  const charts = useHomeChart();
  const me = useMe();
  const [isDismissed, setDismissed] = usePreference<boolean>('home.steps', false, parseFlag);

  if (!data && error) {
    const retry = () => {
      void refetch();
      void charts.refetch();
    };
    return <PageError error={error} onRetry={retry} />;
  }
  const stale = error ? dataUpdatedAt : charts.data && charts.error ? charts.dataUpdatedAt : undefined;
  return (
    <>
      <PageHeading title="首页" note={data && `更新于 ${formatClock(dataUpdatedAt, zone)}`} />
      {stale !== undefined && (
        <p className="ht-home-stale" role="status">
          暂时无法更新，显示的是 {formatClock(stale, zone)} 的数据。
        </p>
      )}
      <WalletLine />
      <div className="ht-home-head">
        <QueuePanel />
        <Suspense fallback={<div />}>
          <FeedPanel />
        </Suspense>
      </div>
      {me.top && !isDismissed && (
        <Suspense fallback={<div className="ht-home-steps" />}>
          <FirstSteps onDismiss={() => setDismissed(true)} />
        </Suspense>
      )}
      <ul className="ht-home-cards" aria-busy={!data}>
        {data
          ? data.map((card) => (
              <Card
                key={card.text}
                at={dataUpdatedAt}
                zone={trends.data?.zone ?? zone}
                trend={trends.data?.cards.find(({ text }) => text === card.text)}
                {...card}
              />
            ))
          : homeCards.map((text) => (
              <li key={text} className="ht-home-card">
                <span className="ht-home-label">{text}</span>
                <i className="ht-home-skeleton" />
                <span className="ht-home-change" />
              </li>
            ))}
      </ul>
      <div className="ht-home-panels">
        <HomePanels query={charts} />
      </div>
    </>
  );
}
