import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { EventAnswer, Outbox, PlatformEvent } from '../src/index.ts';

interface Stored<P> {
  /** How far the chain has been read; undefined before the first time. */
  position: P | undefined;
  /** Events that wait for the back office. */
  events: PlatformEvent[];
  /** Events that it refused, with its reason: somebody must look at them. */
  rejected: { event: PlatformEvent; reason: string | undefined }[];
}

/**
 * What a watcher must not forget, in one file: a crash never separates the position from the events that were found up to it.
 * One process at a time.
 */
export class Memory<P> implements Outbox {
  readonly #file: string;
  #stored: Stored<P> = { position: undefined, events: [], rejected: [] };

  constructor(file: string) {
    this.#file = file;
    if (existsSync(file)) this.#stored = JSON.parse(readFileSync(file, 'utf8')) as Stored<P>;
  }

  get position(): P | undefined {
    return this.#stored.position;
  }

  get rejected(): Stored<P>['rejected'] {
    return this.#stored.rejected;
  }

  /** Stores a position together with the events up to it. */
  advance(position: P, events: readonly PlatformEvent[]): void {
    this.#save({ ...this.#stored, position, events: [...this.#stored.events, ...events] });
  }

  next(limit: number): PlatformEvent[] {
    return this.#stored.events.slice(0, limit);
  }

  mark(answers: readonly EventAnswer[]): void {
    const answerOf = new Map(answers.map((answer) => [answer.eventId, answer]));
    const { position, events, rejected } = this.#stored;
    const refused = events.flatMap((event) => {
      const answer = answerOf.get(event.eventId);
      return answer?.result === 'rejected' ? [{ event, reason: answer.reason }] : [];
    });
    const left = events.filter(({ eventId }) => !answerOf.has(eventId));
    this.#save({ position, events: left, rejected: [...rejected, ...refused] });
  }

  #save(stored: Stored<P>): void {
    const fresh = `${this.#file}.new`;
    const handle = openSync(fresh, 'w', 0o600);
    try {
      writeFileSync(handle, JSON.stringify(stored));
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(fresh, this.#file);
    this.#stored = stored;
  }
}
