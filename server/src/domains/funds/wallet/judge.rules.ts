import type { WaitingMove } from './match.store.ts';

const FIRST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 3_600_000;

/** When a move that found no record is tried next: ever later, and at the end of its bound. Unix milliseconds. */
export function nextTry(
  { tries, openedAt, isDue }: Pick<WaitingMove, 'tries' | 'openedAt' | 'isDue'>,
  { boundMs, now }: { boundMs: number; now: number },
): number {
  const next = now + Math.min(FIRST_PAUSE_MS * 2 ** Math.min(tries, 16), LONGEST_PAUSE_MS);
  const boundEnd = openedAt + boundMs;
  return isDue || boundEnd <= now ? next : Math.min(next, boundEnd);
}
