import './ui.css';
import { isDecimal, plain, shorten } from './decimal.ts';

interface Props {
  /** A decimal string in percent; null is unknown. */
  value: string | null | undefined;
}

/** A change in percent: the operator's price colours, and always a sign and an arrow for those who see no colour. */
export function Change({ value }: Props) {
  if (value === null || value === undefined || !isDecimal(value)) return <span className="ht-faint">--</span>;
  const flat = plain(value) === '0';
  const down = value.startsWith('-');
  return (
    <span className="ht-change" data-way={flat ? 'flat' : down ? 'down' : 'up'} title={`${plain(value)}%`}>
      {!flat && <i aria-hidden>{down ? '▼' : '▲'}</i>}
      {!flat && !down && '+'}
      {shorten(value, 2).text}%
    </span>
  );
}
