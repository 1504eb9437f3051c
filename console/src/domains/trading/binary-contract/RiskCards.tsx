import './binary-contract.css';
import { Button } from 'antd';
import { useRef } from 'react';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import { BINARY_CONTRACT_SIDE, binaryContractSides } from '@hengtai/contract/trading/binary-contract/calls';
import type { BinaryContractExposure, BinaryContractRisk } from '@hengtai/contract/trading/binary-contract/schema';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { Direction } from '../../../records/Direction.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { useOverflowCounts } from '../../../ui/table/overflow-counts.ts';
import { QueryPlace, type QueryState } from '../../../api/QueryPlace.tsx';

/** Height of the cards with the margin below them, in pixels. The page size of the list below depends on it. */
export const RISK_CARDS_HEIGHT = 122;
const MARGIN = 12;
const CARDS = ['li'] as const;

interface Props {
  /** Its height is reserved until the first response. */
  query: QueryState & { data: BinaryContractRisk | undefined };
  onMore: () => void;
}

/**
 * Maximum net payout of the house in each market, the greatest first. Markets for which the line has no room are counted,
 * and shown in the drawer.
 */
export function RiskCards({ query, onMore }: Props) {
  const { data: risk } = query;
  const box = useRef<HTMLUListElement>(null);
  const [cut = 0] = useOverflowCounts(box, CARDS, RISK_CARDS_HEIGHT - MARGIN);
  if (risk?.markets.length === 0) return null;
  const markets = risk?.markets ?? [];
  return (
    <div className="ht-binary-contract-risk" style={{ height: RISK_CARDS_HEIGHT - MARGIN, marginBlockEnd: MARGIN }}>
      {!risk && <QueryPlace query={query} isSmall />}
      <ul aria-label="风险敞口" ref={box}>
        {markets.map((market, index) => (
          <Card key={market.marketId} market={market} isCut={index >= markets.length - cut} />
        ))}
      </ul>
      {cut > 0 && (
        <Button type="link" size="small" onClick={onMore}>
          还有 {cut} 个市场
        </Button>
      )}
    </div>
  );
}

function Card({ market, isCut }: { market: BinaryContractRisk['markets'][number]; isCut: boolean }) {
  return (
    <li className="ht-binary-contract-card" data-alert={market.alert || market.overdue > 0} inert={isCut}>
      <header>
        <h3>
          <PageLink to={`/second/open?marketId=${market.marketId}`}>{market.marketName}</PageLink>
        </h3>
        {market.overdue > 0 ? (
          <span className="ht-value-warn">{market.overdue} 笔到期，等待行情</span>
        ) : (
          <span className="ht-value-faint">
            最新价 <Money value={market.price} />
          </span>
        )}
      </header>
      <dl>
        <SideLine side={BINARY_CONTRACT_SIDE.up} sum={market.up} />
        <SideLine side={BINARY_CONTRACT_SIDE.down} sum={market.down} />
      </dl>
      <span>
        最大净赔付{' '}
        <b>
          <Money value={market.risk} unit={SETTLEMENT} digits={2} shortened />
        </b>
        {market.alert && <span className="ht-value-warn"> 超过阈值</span>}
      </span>
    </li>
  );
}

function SideLine({ side, sum }: { side: 1 | 2; sum: BinaryContractExposure['up'] }) {
  return (
    <div>
      <dt>
        <Direction side={side} labels={binaryContractSides} />
      </dt>
      <dd>{sum.count} 笔</dd>
      <dd title="全部盈利时支付的盈利">
        可盈利 <Money value={sum.payout} digits={2} shortened />
      </dd>
    </div>
  );
}
