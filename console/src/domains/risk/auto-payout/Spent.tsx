import type { AutoCoin } from '@hengtai/contract/risk/auto-payout/schema';
import { Money } from '../../../ui/value/Money.tsx';
import { thousandths } from '../../../ui/value/decimal.ts';

interface Props {
  coin: AutoCoin;
  of: 'amount' | 'count';
}

/** What was passed today of the limit, as text and as a bar. The text has the share, so nothing depends on colours. */
export function Spent({ coin: { budget, spent, marketName }, of }: Props) {
  if (!budget || !spent) return <span className="ht-value-faint">--</span>;
  const share =
    of === 'amount'
      ? thousandths(spent.amount, budget.dayAmount)
      : thousandths(String(spent.count), String(budget.dayCount));
  return (
    <>
      <span className="ht-auto-payout-share">
        {of === 'amount' ? (
          <span>
            <Money value={spent.amount} /> / <Money value={budget.dayAmount} unit={marketName} />
          </span>
        ) : (
          <span>
            {spent.count} / {budget.dayCount} 笔
          </span>
        )}
        <span className="ht-value-faint">{Math.floor(share / 10)}%</span>
      </span>
      <span className="ht-value-bar" data-over={share >= 1000} aria-hidden>
        <i style={{ width: `${share / 10}%` }} />
      </span>
    </>
  );
}
