import './value.css';
import './waited.css';
import { roughDuration } from './duration.ts';
import { useMinute } from './minute.ts';

const MINUTE_MS = 60_000;

interface Props {
  /** Unix milliseconds. */
  since: number;
  /** Target of the queue in minutes; 0 means none. */
  target: number;
}

/** How long a record has waited, against the target of its queue. */
export function Waited({ since, target }: Props) {
  const waited = Math.max(0, useMinute() - since);
  const isLate = target > 0 && waited > target * MINUTE_MS;
  return (
    <span className={isLate ? 'ht-value-waited ht-value-warn' : 'ht-value-waited'}>
      等待 {roughDuration(waited)}
      {target > 0 && ` · ${isLate ? '超过目标' : '目标'} ${roughDuration(target * MINUTE_MS)}`}
    </span>
  );
}
