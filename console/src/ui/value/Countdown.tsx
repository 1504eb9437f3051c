import './value.css';
import { useEffect, useState } from 'react';
import { roughDuration } from './duration.ts';

const MINUTE_MS = 60_000;
const HIGHLIGHT_MS = 60 * MINUTE_MS;

interface Props {
  /** Unix milliseconds. */
  until: number;
}

/** Remaining time, updated every 30 seconds and every second in the last ten minutes; the last hour is highlighted. */
export function Countdown({ until }: Props) {
  const [now, setNow] = useState(() => Date.now());
  const left = until - now;
  const every = left > 10 * MINUTE_MS ? MINUTE_MS / 2 : 1_000;
  const isOver = left <= 0;
  useEffect(() => {
    if (isOver) return undefined;
    const timer = setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [every, isOver]);
  if (isOver) return <span className="ht-value-faint">已到期</span>;
  return <span className={left < HIGHLIGHT_MS ? 'ht-value-warn' : undefined}>剩余 {roughDuration(left)}</span>;
}
