import './ui.css';
import { shortenMiddle } from './Hash.tsx';

interface Props {
  value: string | null;
  /** One line of at most 15 characters, for accounts that explain a row; otherwise two lines and 25 characters. */
  short?: boolean;
}

/** An account in a list. A longer one is shortened in the middle; hover gives all of it. */
export function Account({ value, short = false }: Props) {
  if (!value) return <span className="ht-faint">--</span>;
  return (
    <span className="ht-account" title={value}>
      {shortenMiddle(value, short ? 7 : 12)}
    </span>
  );
}
