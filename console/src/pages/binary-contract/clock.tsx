import { type ReactNode, createContext, use, useEffect, useState } from 'react';
import { usePageRoute } from '../../shell/page-route.ts';

const EVERY_MS = 250;

const ServerNow = createContext(0);

interface Props {
  /** The server's clock as it was last told, and when that was heard by the clock of this machine; unix milliseconds. */
  told: number | undefined;
  heardAt: number;
  children: ReactNode;
}

/** Goes on counting from what the server said: whatever the clock of this machine shows, an end is the server's end. */
export function ServerClock({ told, heardAt, children }: Props) {
  const { active } = usePageRoute();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!active) return undefined;
    const timer = setInterval(() => setNow(Date.now()), EVERY_MS);
    return () => clearInterval(timer);
  }, [active]);
  const ahead = told === undefined ? 0 : told - heardAt;
  return <ServerNow value={now + ahead}>{children}</ServerNow>;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** `00:07`, `01:02:03`; seconds that have begun count. */
export function leftText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const clock = `${two(minutes % 60)}:${two(seconds % 60)}`;
  return minutes < 60 ? clock : `${two(Math.floor(minutes / 60))}:${clock}`;
}

const SOON_MS = 10_000;

/** How long a contract still runs, by the server's clock; past its end it waits for its tick. */
export function Left({ until }: { until: number }) {
  const left = until - use(ServerNow);
  if (left <= 0) return <span className="ht-faint">待结算</span>;
  return <span className={left < SOON_MS ? 'se-left ht-warn-text' : 'se-left'}>{leftText(left)}</span>;
}
