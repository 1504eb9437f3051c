import './account.css';
import { useFullValues } from '../ui/value/full-values.ts';

/** Characters of each end of an account that are drawn in a list; all of it if it is at most one longer than both. */
const END = 6;

interface Props {
  value: string | null;
}

/** An account in a list. Of a longer one the middle is drawn as …; hover, search and copying give all of it. */
export function Account({ value }: Props) {
  const isFull = useFullValues();
  if (!value) return <span className="ht-value-faint">--</span>;
  const isLong = !isFull && value.length > 2 * END + 1;
  return (
    <span className={isFull ? 'ht-records-account' : 'ht-records-account ht-records-account-short'} title={value}>
      {isLong ? (
        <>
          {value.slice(0, END)}
          <span className="ht-records-account-middle">{value.slice(END, -END)}</span>
          {value.slice(-END)}
        </>
      ) : (
        value
      )}
    </span>
  );
}
