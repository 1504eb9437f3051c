import { Countdown } from '../../../ui/value/Countdown.tsx';
import { Time } from '../../../ui/value/Time.tsx';

/** The time when a halt ends automatically, with a countdown. */
export function Remaining({ until }: { until: number | null }) {
  if (until === null) return <span className="ht-value-faint">--</span>;
  return (
    <span className="ht-price-protection-left">
      <Time value={until} clock /> <Countdown until={until} />
    </span>
  );
}
