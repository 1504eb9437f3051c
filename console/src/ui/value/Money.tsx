import './money.css';
import './value.css';
import type { ClipboardEvent } from 'react';
import { useFullValues } from './full-values.ts';
import { formatGrouped, isDecimal, formatPlain, shorten } from './decimal.ts';

interface Props {
  /** Decimal string; null means unknown. */
  value: string | null | undefined;
  /** Coin after the amount, if no column header names it. */
  unit?: string;
  /** Shows only `digits` decimal places, for valuations. Other amounts are never cut. */
  shortened?: boolean;
  /** Maximum decimal places of a shortened amount. */
  digits?: number;
  /** Writes + before positive amounts. */
  showPlus?: boolean;
  className?: string;
}

/**
 * An amount with thousands separators and without trailing zeros; hover and copy give all digits. In a table a long one
 * takes two small lines.
 */
export function Money({ value, unit, digits = 8, shortened = false, showPlus = false, className = '' }: Props) {
  const isFull = useFullValues();
  if (value === null || value === undefined || !isDecimal(value)) {
    return (
      <span
        className={`ht-value-money ht-value-faint ${className}`}
        title={value ? `无法识别的数量：${value}` : '未知'}
      >
        --
      </span>
    );
  }
  const text = shortened && !isFull ? shorten(value, digits) : formatGrouped(value);
  const plus = showPlus && !value.startsWith('-') && formatPlain(value) !== '0' ? '+' : '';
  const full = `${formatGrouped(value)}${unit ? ` ${unit}` : ''}`;
  return (
    <span
      className={`ht-value-money ${className}`}
      data-long={isLong(text, unit)}
      title={full}
      onCopy={(event) => copyDigits(event, formatPlain(value))}
    >
      {plus}
      <Digits text={text} />
      {unit && <span className="ht-value-unit"> {unit}</span>}
    </span>
  );
}

/** The decimal places are lighter than the integer part, unless that is zero. */
function Digits({ text }: { text: string }) {
  const point = text.indexOf('.');
  if (point < 0 || !/[1-9]/.test(text.slice(0, point))) return text;
  return (
    <>
      {text.slice(0, point)}
      <span className="ht-value-fraction">{text.slice(point)}</span>
    </>
  );
}

/** Amounts of more characters than fit in a column of a table take two lines; one with a unit has more room. */
const LONG_FROM = 13;
const LONG_FROM_WITH_UNIT = 16;

const isLong = (text: string, unit: string | undefined): boolean =>
  text.length > LONG_FROM || (unit !== undefined && text.length + 1 + unit.length > LONG_FROM_WITH_UNIT);

/** Copies the whole amount without separators when the selection is inside it, so that it can be pasted as a number. */
function copyDigits(event: ClipboardEvent<HTMLElement>, digits: string) {
  const selection = document.getSelection();
  const isInside = (node: Node | null | undefined) => node && event.currentTarget.contains(node);
  if (!isInside(selection?.anchorNode) || !isInside(selection?.focusNode)) return;
  event.clipboardData.setData('text/plain', digits);
  event.preventDefault();
}
