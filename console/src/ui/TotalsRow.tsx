import './ui.css';
import { memo } from 'react';
import { Money } from './Money.tsx';
import type { CoinSum } from './list-view.ts';

export interface SumField {
  field: string;
  label: string;
}

interface Props {
  /** Undefined until the first answer: the height is kept. */
  summary: readonly CoinSum[] | undefined;
  fields: readonly SumField[];
  pending: boolean;
  /** What is counted, where it is not single records. */
  counted?: string | undefined;
}

/** Exact totals over all filtered rows, coin by coin, as the server added them up. */
export const TotalsRow = memo(({ summary, fields, pending, counted = '笔' }: Props) => (
  // Many coins scroll sideways, which the keyboard must be able to do as well.
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  <div className="ht-totals" role="region" aria-label="合计" aria-busy={pending} tabIndex={0}>
    <b>合计</b>
    {summary?.map((sum) => (
      <dl key={sum.marketName} data-coin={sum.marketName}>
        <dt>
          {sum.marketName}
          <small>
            {sum.count.toLocaleString('en-US')} {counted}
          </small>
        </dt>
        {fields.map(({ field, label }) => (
          <dd key={field} data-sum={field}>
            <span>{label}</span>
            <Money value={amountOf(sum, field)} digits={18} />
          </dd>
        ))}
      </dl>
    ))}
    {summary?.length === 0 && <span className="ht-faint">没有记录</span>}
    {pending && <span className="ht-skeleton-line" />}
  </div>
));

function amountOf(sum: CoinSum, field: string): string | null {
  const value: unknown = Object.hasOwn(sum, field) ? sum[field as keyof CoinSum] : null;
  return typeof value === 'string' ? value : null;
}
