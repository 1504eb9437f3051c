import { refusals } from '@hengtai/contract/wire/refusals';
import { DatabaseError } from 'pg';
import { refuse } from './refuse.ts';

/** How long a call is refused after it waited in vain for a table; then one request tries again. */
const PAUSE_MS = 3_000;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Keeps calls that wait for a locked table from occupying the whole pool. A call that ran into the lock timeout is refused
 * at once for a pause, then one request of it may try. So each call has at most one connection that waits, instead of one
 * for each request.
 */
export class LockGate {
  /** End of the pause on the monotonic clock of the process, by call. */
  readonly #pauses = new Map<string, number>();

  /** The calls that were refused by a lock and have not succeeded since. */
  get lockedCalls(): string[] {
    return [...this.#pauses.keys()];
  }

  /**
   * Runs a call. `work` gets a check that it must run once it has a connection: requests that queued for one before the
   * lock was noticed are refused there.
   *
   * @param call name of the call; undefined for work without a request, which is not limited
   * @throws Refused 503 during the pause
   */
  async run<T>(call: string | undefined, work: (check: () => Promise<void>) => Promise<T>): Promise<T> {
    if (call === undefined) return work(async () => undefined);
    this.#refuseInPause(call);
    try {
      const result = await work(async () => {
        this.#refuseInPause(call);
        if (this.#pauses.has(call)) this.#pauses.set(call, performance.now() + PAUSE_MS);
      });
      this.#pauses.delete(call);
      return result;
    } catch (error) {
      if (isTableLocked(error)) this.#pauses.set(call, performance.now() + PAUSE_MS);
      throw error;
    }
  }

  #refuseInPause(call: string): void {
    if (performance.now() < (this.#pauses.get(call) ?? 0)) throw refuse(refusals.unavailable);
  }
}

/** Whether a statement waited too long for a table. A wait for a row concerns only
 * that record; its context has the place of the row, like (0,1), in every language. */
const isTableLocked = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE && !/\(\d+, ?\d+\)/.test(error.where ?? '');
