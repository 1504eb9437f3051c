import { type ReactNode, createContext, use, useEffect, useState } from 'react';
import { usePageRoute } from '../../../navigation/page-route.ts';

const TICK_MS = 250;

const ServerNow = createContext(0);

interface Props {
  /** Last known server time and the local time when it arrived; unix milliseconds. */
  serverNow: number | undefined;
  receivedAt: number;
  children: ReactNode;
}

/** Provides the server time, advanced by the local clock, so that a wrong local clock does not shift countdowns. */
export function ServerClock({ serverNow, receivedAt, children }: Props) {
  const { active } = usePageRoute();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!active) return undefined;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [active]);
  const offset = serverNow === undefined ? 0 : serverNow - receivedAt;
  return <ServerNow value={now + offset}>{children}</ServerNow>;
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** `00:07` or `01:02:03`. Seconds are rounded up. */
function remainingText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const clock = `${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`;
  return minutes < 60 ? clock : `${twoDigits(Math.floor(minutes / 60))}:${clock}`;
}

const WARN_BELOW_MS = 10_000;

/** Remaining time of a contract by the server time. After its end it shows 待结算 until the deciding tick arrives. */
export function RemainingTime({ until }: { until: number }) {
  const remaining = until - use(ServerNow);
  if (remaining <= 0) return <span className="ht-value-faint">待结算</span>;
  return (
    <span className={remaining < WARN_BELOW_MS ? 'ht-binary-contract-left ht-value-warn' : 'ht-binary-contract-left'}>
      {remainingText(remaining)}
    </span>
  );
}
