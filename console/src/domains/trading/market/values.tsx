import { Money } from '../../../ui/value/Money.tsx';
import { formatGrouped, formatPlain, multiply } from '../../../ui/value/decimal.ts';

/** A ratio in percent, with all its digits. */
export function Percent({ ratio }: { ratio: string }) {
  return <span className="ht-value-money">{formatGrouped(multiply(ratio, '100'))}%</span>;
}

/** A lower or upper limit; 0 means no limit. */
export function Limit({ value, unit }: { value: string; unit?: string }) {
  if (formatPlain(value) === '0') return <span className="ht-value-faint">不限</span>;
  return <Money value={value} {...(unit && { unit })} />;
}
