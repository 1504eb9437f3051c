import './ui.css';
import { memo } from 'react';
import { Money } from './Money.tsx';
import type { CoinSum } from './list-view.ts';

export interface SumField {
  field: string;
  label: string;
}

interface Props {
  /** Undefined until the first response; the height is reserved. */
  summary: readonly CoinSum[] | undefined;
  fields: readonly SumField[];
  pending: boolean;
  /** Unit of the counts. */
  counted?: string | undefined;
}

/** Totals over all filtered rows per coin, computed by the server. */
export const TotalsRow = memo(({ summary, fields, pending, counted = '笔' }: Props) => (
  // Many coins scroll sideways, so the row must be focusable by keyboard.
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
