import type { ClipboardEvent } from 'react';
import { useFullValues } from './full-values.ts';
import { formatGrouped, isDecimal, formatPlain, shorten } from './decimal.ts';

interface Props {
  /** Decimal string; null means unknown. */
  value: string | null | undefined;
  /** Coin after the amount, if no column header names it. */
  unit?: string;
  /** Maximum decimal places; cut amounts end in … and show all digits on hover. */
  digits?: number;
  /** At most 14 characters, for lists: the longer the integer part, the fewer decimal places. */
  fit?: boolean;
  /** Omits the … of cut amounts, for valuations. */
  rough?: boolean;
  /** Writes + before positive amounts. */
  sign?: boolean;
  className?: string;
}

/** An amount with thousands separators and without trailing zeros; hover and copy give all digits. */
export function Money({ value, unit, digits = 8, fit = false, rough = false, sign = false, className = '' }: Props) {
  const isFull = useFullValues();
  if (value === null || value === undefined || !isDecimal(value)) {
    return (
      <span className={`ht-money ht-faint ${className}`} title={value ? `无法识别的数量：${value}` : '未知'}>
        --
      </span>
    );
  }
  const { text, cut } = shorten(value, isFull ? DECIMALS_MAX : fit ? fittingDigits(value, digits) : digits);
  const plus = sign && !value.startsWith('-') && formatPlain(value) !== '0' ? '+' : '';
  const full = `${formatGrouped(value)}${unit ? ` ${unit}` : ''}`;
  return (
    <span className={`ht-money ${className}`} title={full} onCopy={(event) => copyDigits(event, formatPlain(value))}>
      {plus}
      <Digits text={cut && !rough ? `${text}…` : text} />
      {unit && <span className="ht-unit"> {unit}</span>}
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
      <span className="ht-fraction">{text.slice(point)}</span>
    </>
  );
}

const DECIMALS_MAX = 18;
const FIT_CHARACTERS = 14;

function fittingDigits(value: string, digits: number): number {
  const room = FIT_CHARACTERS - shorten(value, 0).text.length - '.…'.length;
  return Math.min(digits, Math.max(room, room < 0 ? 0 : 2));
}

/** Copies the whole amount without separators when the selection is inside it, so that it can be pasted as a number. */
function copyDigits(event: ClipboardEvent<HTMLElement>, digits: string) {
  const selection = document.getSelection();
  const isInside = (node: Node | null | undefined) => node && event.currentTarget.contains(node);
  if (!isInside(selection?.anchorNode) || !isInside(selection?.focusNode)) return;
  event.clipboardData.setData('text/plain', digits);
  event.preventDefault();
}
