import './ui.css';
import type { ClipboardEvent } from 'react';
import { grouped, isDecimal, plain, shorten } from './decimal.ts';

interface Props {
  /** A decimal string; null is unknown. */
  value: string | null | undefined;
  /** Written behind the amount, where no column header says it. */
  unit?: string;
  /** Most digits behind the point; the rest is on hover. Cut amounts end in … */
  digits?: number;
  /** The cut is expected (a valuation), so nothing marks it. */
  rough?: boolean;
  /** Write + before amounts above zero. */
  sign?: boolean;
  className?: string;
}

/** An amount: thousands separators, no trailing zeros, all digits on hover and on copy. */
export function Money({ value, unit, digits = 8, rough = false, sign = false, className = '' }: Props) {
  if (value === null || value === undefined || !isDecimal(value)) {
    return (
      <span className={`ht-money ht-faint ${className}`} title={value ? `无法识别的数量：${value}` : '未知'}>
        --
      </span>
    );
  }
  const { text, cut } = shorten(value, digits);
  const plus = sign && !value.startsWith('-') && plain(value) !== '0' ? '+' : '';
  const full = `${grouped(value)}${unit ? ` ${unit}` : ''}`;
  return (
    <span className={`ht-money ${className}`} title={full} onCopy={(event) => copyDigits(event, plain(value))}>
      {plus}
      {text}
      {cut && !rough && '…'}
      {unit && <span className="ht-unit"> {unit}</span>}
    </span>
  );
}

/** A selection inside the amount is copied as the whole amount without separators, ready to be pasted as a number. */
function copyDigits(event: ClipboardEvent<HTMLElement>, digits: string) {
  const selection = document.getSelection();
  const inside = (node: Node | null | undefined) => node && event.currentTarget.contains(node);
  if (!inside(selection?.anchorNode) || !inside(selection?.focusNode)) return;
  event.clipboardData.setData('text/plain', digits);
  event.preventDefault();
}
