import { coinAmountsText } from '@hengtai/contract/values/money';
import type { CoinAmounts } from '@hengtai/contract/wire/schema';
import { memo, useMemo } from 'react';
import { CoinTotals, type CoinTotal, type SumField } from './CoinTotals.tsx';
import { sum } from '../value/decimal.ts';
import type { CoinSum } from './list-view.ts';

interface Props {
  /** Undefined until the first response. */
  summary: readonly CoinSum[] | undefined;
  fields: readonly SumField[];
  pending: boolean;
  /** Unit of the counts. */
  countUnit?: string | undefined;
  /** What the lines are, with its counter: 个币种, 个市场, 项. */
  lineUnit?: string | undefined;
  /** Name of a first line that adds up several others. */
  totalLabel?: string | undefined;
}

/** Totals over all filtered rows per coin, computed by the server. */
export const TotalsRow = memo(
  ({ summary, fields, pending, countUnit = '笔', lineUnit = '个币种', totalLabel }: Props) => {
    const totals = useMemo(() => {
      const lines = summary?.map((line) => totalOf(line, fields));
      return lines && lines.length > 1 && totalLabel !== undefined
        ? [wholeOf(totalLabel, lines, fields), ...lines]
        : lines;
    }, [summary, fields, totalLabel]);
    return (
      <CoinTotals title="合计" role="region" totals={totals} fields={fields} countUnit={countUnit} lineUnit={lineUnit}>
        {pending && <span className="ht-page-skeleton-line" />}
      </CoinTotals>
    );
  },
);

const wholeOf = (name: string, lines: readonly CoinTotal[], fields: readonly SumField[]): CoinTotal => ({
  coin: name,
  count: lines.reduce((count, line) => count + line.count, 0),
  sums: Object.fromEntries(fields.map(({ field }) => [field, sum(lines.map(({ sums }) => sums[field] ?? '0'))])),
});

const totalOf = (line: CoinSum, fields: readonly SumField[]): CoinTotal => ({
  coin: line.marketName,
  count: line.count,
  sums: Object.fromEntries(fields.map(({ field }) => [field, textOf(line, field)])),
});

function textOf(record: object, field: string): string | null {
  const value: unknown = Object.hasOwn(record, field) ? record[field as keyof typeof record] : null;
  if (Array.isArray(value)) return coinAmountsText(value as CoinAmounts);
  return typeof value === 'string' ? value : null;
}
