import './second.css';
import { SETTLEMENT } from '@hengtai/contract/money';
import { secondSides } from '@hengtai/contract/second';
import type { SecondExposure, SecondRisk } from '@hengtai/contract/second.schema';
import { PageLink } from '../../shell/PageLink.tsx';
import { type MiniColumn, MiniTable } from '../../ui/MiniTable.tsx';
import { Direction } from '../../ui/Direction.tsx';
import { Money } from '../../ui/Money.tsx';
import { Reader } from '../../ui/Reader.tsx';
import { Section } from '../../ui/Section.tsx';
import { Time } from '../../ui/Time.tsx';
import { Left } from './clock.tsx';

/** What the house may have to pay, market by market. */
export function RiskCards({ risk }: { risk: SecondRisk }) {
  if (risk.markets.length === 0) return null;
  return (
    // Many markets scroll sideways, which the keyboard must be able to do as well.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <ul className="se-risk" aria-label="风险敞口" tabIndex={0}>
      {risk.markets.map((market) => (
        <li key={market.marketId} className="se-card" data-alert={market.alert || market.overdue > 0}>
          <header>
            <h3>
              <PageLink to={`/second/open?marketId=${market.marketId}`}>{market.marketName}</PageLink>
            </h3>
            <span className="ht-faint">
              最新价 <Money value={market.price} />
            </span>
          </header>
          <dl>
            <SideLine side={1} sum={market.up} />
            <SideLine side={2} sum={market.down} />
          </dl>
          <span>
            最大净赔付{' '}
            <b>
              <Money value={market.risk} unit={SETTLEMENT} digits={2} rough />
            </b>
            {market.alert && <span className="ht-warn-text"> 超过阈值</span>}
          </span>
          {market.overdue > 0 && <span className="ht-warn-text">{market.overdue} 笔到期，等待行情</span>}
        </li>
      ))}
    </ul>
  );
}

function SideLine({ side, sum }: { side: 1 | 2; sum: SecondExposure['up'] }) {
  return (
    <div>
      <dt>
        <Direction side={side} labels={secondSides} />
      </dt>
      <dd>{sum.count} 笔</dd>
      <dd title="全部盈利时支付的盈利">
        可盈利 <Money value={sum.payout} digits={2} rough />
      </dd>
    </div>
  );
}

interface Props {
  risk: SecondRisk | undefined;
  open: boolean;
  onClose: () => void;
}

/** Everything that runs, by the second in which it ends; what is beyond its threshold is marked. */
export function RiskDrawer({ risk, open, onClose }: Props) {
  return (
    <Reader open={open} width={860} title="风险敞口" onClose={onClose}>
      {risk ? (
        <>
          <p className="se-rule">
            最大净赔付：价格朝对用户最有利的一边变动时，须支付的盈利减去同时收到的亏损。只用于提醒，不影响任何合约的结果。
            阈值：同一秒到期 <Limit value={risk.thresholds.expiry} />
            ，单个市场 <Limit value={risk.thresholds.market} />。
          </p>
          <Section title="按市场">
            <MiniTable
              label="按市场"
              rows={risk.markets}
              keyOf={({ marketId }) => marketId}
              none="没有进行中的秒合约"
              marked={({ alert }) => alert}
              columns={[market, ...sides, most]}
            />
          </Section>
          <Section title="按到期秒" aside={`敞口最大的 ${risk.expiries.length} 个`}>
            <MiniTable
              label="按到期秒"
              rows={risk.expiries}
              keyOf={({ marketId, settleAt }) => `${marketId} ${settleAt}`}
              none="没有进行中的秒合约"
              marked={({ alert }) => alert}
              columns={[ends, market, ...sides, most]}
            />
          </Section>
        </>
      ) : (
        <span className="ht-bone" />
      )}
    </Reader>
  );
}

const Limit = ({ value }: { value: string }) =>
  value === '0' ? <b>不告警</b> : <Money value={value} unit={SETTLEMENT} />;

type Row = Omit<SecondExposure, 'settleAt'>;

const market: MiniColumn<Row> = { title: '市场', cell: ({ marketName }) => marketName };
const ends: MiniColumn<SecondExposure> = {
  title: '到期',
  cell: ({ settleAt }) => (
    <span className="se-end">
      <Left until={settleAt + 1_000} />
      <Time value={settleAt} clock />
    </span>
  ),
};
const sides: readonly MiniColumn<Row>[] = (['up', 'down'] as const).flatMap((side): MiniColumn<Row>[] => {
  const word = secondSides[side === 'up' ? 1 : 2];
  return [
    { title: `${word}笔数`, right: true, cell: (row) => row[side].count },
    { title: `${word}下单`, right: true, cell: (row) => <Money value={row[side].amount} digits={2} rough /> },
    { title: `${word}可盈利`, right: true, cell: (row) => <Money value={row[side].payout} digits={2} rough /> },
  ];
});
const most: MiniColumn<Row> = {
  title: '最大净赔付',
  right: true,
  cell: ({ risk, alert }) => (
    <b className={alert ? 'ht-warn-text' : undefined}>
      <Money value={risk} digits={2} rough />
    </b>
  ),
};
