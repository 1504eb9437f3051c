import { Countdown } from '../../ui/Countdown.tsx';
import { Time } from '../../ui/Time.tsx';

/** When a halt ends by itself, and how long that still is. */
export function Remaining({ until }: { until: number | null }) {
  if (until === null) return <span className="ht-faint">--</span>;
  return (
    <span className="pl-left">
      <Time value={until} clock /> <Countdown until={until} />
    </span>
  );
}
