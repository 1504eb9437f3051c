import './ui.css';
import { useEffect, useState } from 'react';
import { roughDuration } from './duration.ts';

const MINUTE = 60_000;
const SOON = 60 * MINUTE;

interface Props {
  /** Unix milliseconds. */
  until: number;
}

/** How much time is left, to the minute, and to the second in the last ten; the last hour stands out. */
export function Countdown({ until }: Props) {
  const [now, setNow] = useState(() => Date.now());
  const left = until - now;
  const every = left > 10 * MINUTE ? MINUTE / 2 : 1_000;
  const over = left <= 0;
  useEffect(() => {
    if (over) return undefined;
    const timer = setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [every, over]);
  if (over) return <span className="ht-faint">已到期</span>;
  return <span className={left < SOON ? 'ht-countdown ht-warn-text' : 'ht-countdown'}>剩余 {roughDuration(left)}</span>;
}
