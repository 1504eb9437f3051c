import './ui.css';
import { useFullValues } from './full-values.ts';

interface Props {
  value: string | null;
  /** One line of at most 15 characters, for accounts that explain a row; otherwise 19 characters. */
  short?: boolean;
}

/** An account in a list. Of a longer one the middle is drawn as …; hover, search and copying give all of it. */
export function Account({ value, short = false }: Props) {
  const isFull = useFullValues();
  if (!value) return <span className="ht-faint">--</span>;
  const end = short ? 7 : 9;
  const isLong = !isFull && value.length > 2 * end + 1;
  return (
    <span className="ht-account" title={value}>
      {isLong ? (
        <>
          {value.slice(0, end)}
          <span className="ht-account-middle">{value.slice(end, -end)}</span>
          {value.slice(-end)}
        </>
      ) : (
        value
      )}
    </span>
  );
}
