import { Suspense, useEffect, useState } from 'react';
import { lazyComponent } from '../ui/page/lazy-component.tsx';

// Without its script nothing is offered: then the session could not be extended either.
const IdleDialog = lazyComponent(
  async () => (await import('./IdleDialog.tsx')).IdleDialog,
  () => null,
);

interface Props {
  /** End of the session by the clock of this browser, unix milliseconds. */
  endsAt: number;
  /** Extends the session; resolves to its new end. */
  onStay: () => Promise<number | undefined>;
  /** Called when the time is up by this clock; the server decides. */
  onOver: () => void;
}

const WARN_MS = 5 * 60_000;
const SECOND_MS = 1000;

/** Offers to extend an unused session during its last five minutes. */
export function IdleCountdown({ endsAt, onStay, onOver }: Props) {
  const left = useTimeLeft(endsAt);
  const [isBusy, setIsBusy] = useState(false);
  const [isAtLimit, setIsAtLimit] = useState(false);
  const isOver = left <= 0;
  useEffect(() => {
    if (isOver) onOver();
  }, [isOver, onOver]);
  if (left > WARN_MS) return null;

  async function stay() {
    setIsBusy(true);
    try {
      const next = await onStay();
      setIsAtLimit(next !== undefined && next - Date.now() <= WARN_MS);
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <Suspense fallback={null}>
      <IdleDialog left={formatMinutes(left)} isBusy={isBusy} isAtLimit={isAtLimit} onStay={() => void stay()} />
    </Suspense>
  );
}

const formatMinutes = (ms: number): string => {
  const seconds = Math.max(0, Math.ceil(ms / SECOND_MS));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

/** Milliseconds left; updated every second during the last five minutes, rarely before. */
function useTimeLeft(endsAt: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = () => {
      setNow(Date.now());
      const left = endsAt - Date.now();
      if (left > 0) timer = setTimeout(tick, left > WARN_MS ? Math.min(left - WARN_MS, 30 * SECOND_MS) : SECOND_MS);
    };
    timer = setTimeout(tick, 0);
    return () => clearTimeout(timer);
  }, [endsAt]);
  return endsAt - now;
}
