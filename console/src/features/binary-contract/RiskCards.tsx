import './binary-contract.css';
import { SETTLEMENT } from '@hengtai/contract/money';
import { binaryContractSides } from '@hengtai/contract/binary-contract';
import type { BinaryContractExposure, BinaryContractRisk } from '@hengtai/contract/binary-contract.schema';
import { PageLink } from '../../navigation/PageLink.tsx';
import { Direction } from '../../ui/Direction.tsx';
import { Money } from '../../ui/Money.tsx';

/** Maximum net payout of the house in each market. */
export function RiskCards({ risk }: { risk: BinaryContractRisk }) {
  if (risk.markets.length === 0) return null;
  return (
    // The list scrolls horizontally, so the keyboard must be able to focus it.
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

function SideLine({ side, sum }: { side: 1 | 2; sum: BinaryContractExposure['up'] }) {
  return (
    <div>
      <dt>
        <Direction side={side} labels={binaryContractSides} />
      </dt>
      <dd>{sum.count} 笔</dd>
      <dd title="全部盈利时支付的盈利">
        可盈利 <Money value={sum.payout} digits={2} rough />
      </dd>
    </div>
  );
}
