import './filter-field.css';
import './amount.css';
import type { Filter } from '@hengtai/contract/wire/list';
import { Input, Space } from 'antd';
import { memo, useId } from 'react';
import { decimalOf, parseAmount, parseSignedAmount } from '../value/amount.ts';
import { compare } from '../value/decimal.ts';

/** Why a typed range cannot be queried; an empty side is open. */
export function rangeError([min, max]: readonly Filter[], from: string, to: string): string | undefined {
  if (!min || !max) return undefined;
  const [least, most] = [from, to].map((text) => (text === '' ? '' : decimalOf(text)));
  if (least === undefined) return `${min.label}格式不正确`;
  if (most === undefined) return `${max.label}格式不正确`;
  return least && most && compare(most, least) < 0 ? `${max.label}不能小于${min.label}` : undefined;
}

interface Props {
  label: string;
  /** The filters of the least and of the greatest amount. */
  bounds: readonly Filter[];
  from: string;
  to: string;
  error: string | undefined;
  onChange: (field: string, text: string) => void;
}

const PLACEHOLDERS = ['最小', '最大'];

/** Two inputs for the least and the greatest amount of a list. */
export const AmountRange = memo(({ label, bounds, from, to, error, onChange }: Props) => {
  const errorId = useId();
  return (
    <span className="ht-form-filter ht-form-amount">
      <Space.Compact block>
        {bounds.map(({ field, label: name, type }, index) => (
          <Input
            key={field}
            data-field={field}
            prefix={index === 0 ? <span className="ht-form-prefix">{label}</span> : <span aria-hidden>–</span>}
            aria-label={name}
            placeholder={PLACEHOLDERS[index] ?? ''}
            inputMode={type === 'signed' ? 'text' : 'decimal'}
            autoComplete="off"
            spellCheck={false}
            value={index === 0 ? from : to}
            {...(error && { status: 'error', 'aria-invalid': true, 'aria-describedby': errorId })}
            onChange={({ target }) => {
              const text = type === 'signed' ? parseSignedAmount(target.value) : parseAmount(target.value);
              if (text !== undefined) onChange(field, text);
            }}
          />
        ))}
      </Space.Compact>
      {error && (
        <span className="ht-form-error" role="alert" id={errorId}>
          {error}
        </span>
      )}
    </span>
  );
});
