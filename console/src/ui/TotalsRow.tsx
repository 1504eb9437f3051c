import { coinAmountsText } from '@hengtai/contract/money';
import type { CoinAmounts } from '@hengtai/contract/schema';
import { memo, useMemo } from 'react';
import { CoinTotals, type CoinTotal, type SumField } from './CoinTotals.tsx';
import type { CoinSum } from './list-view.ts';

interface Props {
  /** Undefined until the first response. */
  summary: readonly CoinSum[] | undefined;
  fields: readonly SumField[];
  pending: boolean;
  /** Unit of the counts. */
  counted?: string | undefined;
  /** What the lines are. */
  grouped?: string | undefined;
}

/** Totals over all filtered rows per coin, computed by the server. */
export const TotalsRow = memo(({ summary, fields, pending, counted = '笔', grouped = '个币种' }: Props) => {
  const totals = useMemo(() => summary?.map((sum) => totalOf(sum, fields)), [summary, fields]);
  return (
    <CoinTotals title="合计" role="region" totals={totals} fields={fields} counted={counted} grouped={grouped}>
      {pending && <span className="ht-skeleton-line" />}
    </CoinTotals>
  );
});

const totalOf = (sum: CoinSum, fields: readonly SumField[]): CoinTotal => ({
  coin: sum.marketName,
  count: sum.count,
  sums: Object.fromEntries(fields.map(({ field }) => [field, textOf(sum, field)])),
});

function textOf(record: object, field: string): string | null {
  const value: unknown = Object.hasOwn(record, field) ? record[field as keyof typeof record] : null;
  if (Array.isArray(value)) return coinAmountsText(value as CoinAmounts);
  return typeof value === 'string' ? value : null;
}
