import type { MarketRow } from '@hengtai/contract/trading/market/schema';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import './market.css';

interface Props {
  row: Pick<MarketRow, 'marketName' | 'icon'>;
}

/** Icon and name. A market without an icon shows its first letter, so that all names are aligned. */
export function MarketName({ row: { marketName, icon } }: Props) {
  return (
    <span className="ht-market-name">
      {icon ? (
        <img className="ht-market-icon" src={icon} alt="" width={20} height={20} loading="lazy" />
      ) : (
        <span className="ht-market-icon" aria-hidden>
          {marketName.slice(0, 1)}
        </span>
      )}
      <b>{marketName}</b>
      {marketName !== SETTLEMENT && <span className="ht-value-faint">/{SETTLEMENT}</span>}
    </span>
  );
}
