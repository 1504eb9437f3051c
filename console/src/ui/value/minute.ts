import { useEffect, useState } from 'react';

const HALF_MINUTE_MS = 30_000;

/** The time now in unix milliseconds, renewed twice a minute. */
export function useMinute(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), HALF_MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
