import './change.css';
import './value.css';
import { isDecimal, formatPlain, shorten } from './decimal.ts';

interface Props {
  /** Decimal string in percent; null means unknown. */
  value: string | null | undefined;
}

/** A change in percent, in the price colours and with sign and arrow, which do not rely on colour. */
export function Change({ value }: Props) {
  if (value === null || value === undefined || !isDecimal(value)) return <span className="ht-value-faint">--</span>;
  const isFlat = formatPlain(value) === '0';
  const isDown = value.startsWith('-');
  return (
    <span
      className="ht-value-change"
      data-way={isFlat ? 'flat' : isDown ? 'down' : 'up'}
      title={`${formatPlain(value)}%`}
    >
      {!isFlat && <i aria-hidden>{isDown ? '▼' : '▲'}</i>}
      {!isFlat && !isDown && '+'}
      {shorten(value, 2)}%
    </span>
  );
}
