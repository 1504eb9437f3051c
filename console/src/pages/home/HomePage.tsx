import { home } from '@hengtai/contract/home';
import type { HomeCard } from '@hengtai/contract/home.schema';
import { homeCards } from '@hengtai/contract/home';
import type { MouseEvent } from 'react';
import { useRead } from '../../api/hooks.ts';
import { PageFault } from '../../shell/PageFault.tsx';
import { usePageRoute } from '../../shell/page-route.ts';
import { PageHeading } from '../../ui/PageHeading.tsx';
import { grouped, isDecimal, shorten } from '../../ui/decimal.ts';
import { formatClock, useZone } from '../../ui/zone.ts';
import './home.css';

const NOTHING = {};
const EVERY_MS = 15_000;

/** Where the rows behind a figure are. */
const leadsTo: Readonly<Record<string, string>> = {
  用户总数: '/user',
  '今日充值(USDT)': '/recharge',
  '今日提现(USDT)': '/withdraw',
  待审核提现: '/withdraw?state=0',
  待审核实名: '/auth?state=0',
  待审核认购: '/ieo/review',
  待复核审批: '/approval?state=0',
  现货委托: '/trade/order',
  合约持仓: '/future/open',
  秒合约进行中: '/second/open',
  在线操作员: '/session',
};

/** The figures of the day. */
export function HomePage() {
  const { active } = usePageRoute();
  const zone = useZone();
  const { data, error, dataUpdatedAt, refetch } = useRead(home.state, NOTHING, { every: active && EVERY_MS });

  if (!data && error) return <PageFault error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <PageHeading title="首页" note={data && `更新于 ${formatClock(dataUpdatedAt, zone)}`} />
      {error && (
        <p className="home-stale" role="status">
          暂时无法更新，显示的是 {formatClock(dataUpdatedAt, zone)} 的数据。
        </p>
      )}
      <ul className="home-cards" aria-busy={!data}>
        {data
          ? data.map((card) => <Card key={card.text} {...card} />)
          : homeCards.map((text) => (
              <li key={text} className="home-card">
                <span className="home-label">{text}</span>
                <i className="home-bone" />
              </li>
            ))}
      </ul>
    </>
  );
}

function Card({ text, value }: HomeCard) {
  const { open } = usePageRoute();
  const path = leadsTo[text];
  const waiting = text.startsWith('待') && value !== '0' && isDecimal(value);
  const content = (
    <>
      <span className="home-label">
        {waiting && <span className="home-dot" />}
        {text}
      </span>
      <Figure value={value} />
    </>
  );
  if (!path) return <li className="home-card">{content}</li>;
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(path);
  };
  return (
    <li className="home-card">
      <a href={path} onClick={onClick}>
        {content}
      </a>
    </li>
  );
}

/** The digits before the point stand out; all digits are on hover. */
function Figure({ value }: { value: string }) {
  if (!isDecimal(value)) return <strong className="home-value">{value || '--'}</strong>;
  const [whole, fraction] = shorten(value, 2).text.split('.');
  return (
    <strong className="home-value" title={grouped(value)}>
      {whole}
      {fraction && <small>.{fraction}</small>}
    </strong>
  );
}
