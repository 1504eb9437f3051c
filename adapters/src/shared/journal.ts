import {
  appendFileSync,
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { EventAnswer, Outbox, PlatformEvent } from '../../../clients/typescript/src/index.ts';

/** One line of the file: a change that is stored as a whole or not at all. */
interface Change {
  /** Ids of events that were answered before the file was rewritten. */
  known?: readonly string[];
  events?: readonly PlatformEvent[];
  answers?: readonly EventAnswer[];
  notes?: Readonly<Record<string, string>>;
}

/**
 * What an adapter must not forget: the events that wait for the back office, the ids of all it has ever made, and notes about
 * commands and positions in lists. One file, synced to the disk before a call returns. One process at a time.
 */
export class Journal implements Outbox {
  readonly #pending = new Map<string, PlatformEvent>();
  readonly #known = new Set<string>();
  readonly #notes = new Map<string, string>();
  #file: number;
  #wake: () => void = () => undefined;

  private constructor(file: number) {
    this.#file = file;
  }

  /**
   * Reads the file, or creates it. It is rewritten without what is finished; a line that a crash cut off is dropped. Events
   * that were rejected wait again, in their old order: what kept them out may have been mended.
   *
   * @throws if another process has it
   */
  static open(path: string): Journal {
    lock(`${path}.lock`);
    const journal = new Journal(-1);
    for (const { answers = [], ...change } of existsSync(path) ? readChanges(path) : []) {
      journal.#apply({ ...change, answers: answers.filter(({ result }) => result !== 'rejected') });
    }
    const fresh = `${path}.new`;
    journal.#file = openSync(fresh, 'w', 0o600);
    journal.#write({
      known: [...journal.#known].filter((id) => !journal.#pending.has(id)),
      events: [...journal.#pending.values()],
      notes: Object.fromEntries(journal.#notes),
    });
    renameSync(fresh, path);
    syncDirectory(dirname(path));
    return journal;
  }

  close(): void {
    closeSync(this.#file);
    this.#file = -1;
  }

  /** Stores the events whose ids are new, together with notes. An event is never changed once it is stored. */
  add(events: readonly PlatformEvent[], notes: Readonly<Record<string, string>> = {}): void {
    const fresh = new Map<string, PlatformEvent>();
    for (const event of events) {
      if (!this.#known.has(event.eventId) && !fresh.has(event.eventId)) fresh.set(event.eventId, event);
    }
    if (fresh.size === 0 && Object.keys(notes).length === 0) return;
    this.#commit({ events: [...fresh.values()], notes });
    if (fresh.size > 0) this.#wake();
  }

  has(eventId: string): boolean {
    return this.#known.has(eventId);
  }

  note(key: string): string | undefined {
    return this.#notes.get(key);
  }

  next(limit: number): PlatformEvent[] {
    return [...this.#pending.values()].slice(0, limit);
  }

  mark(answers: readonly EventAnswer[]): void {
    this.#commit({ answers });
  }

  /** Waits until an event waits to be sent. */
  async untilPending(signal: AbortSignal): Promise<void> {
    if (this.#pending.size > 0 || signal.aborted) return;
    await new Promise<void>((resolve) => {
      // Removed after each wait, because a process waits millions of times.
      const end = (): void => {
        signal.removeEventListener('abort', end);
        resolve();
      };
      this.#wake = end;
      signal.addEventListener('abort', end);
    });
  }

  #commit(change: Change): void {
    this.#write(change);
    this.#apply(change);
  }

  #apply({ known = [], events = [], answers = [], notes = {} }: Change): void {
    for (const id of known) this.#known.add(id);
    for (const event of events) {
      this.#known.add(event.eventId);
      this.#pending.set(event.eventId, event);
    }
    for (const { eventId } of answers) this.#pending.delete(eventId);
    for (const [key, value] of Object.entries(notes)) this.#notes.set(key, value);
  }

  #write(change: Change): void {
    try {
      appendFileSync(this.#file, `${JSON.stringify(change)}\n`);
      fdatasyncSync(this.#file);
    } catch (error) {
      // Part of a line may be written. Nothing may follow it, so every later call fails until the file is opened again.
      this.#file = -1;
      throw error;
    }
  }
}

/** Another process would replace the file under this one. A lock of a process that has ended counts for nothing. */
function lock(path: string): void {
  const holder = existsSync(path) ? Number(readFileSync(path, 'utf8')) : process.pid;
  if (holder !== process.pid && isRunning(holder)) {
    throw new Error(`Process ${holder} uses the journal. If it is no adapter, remove ${path}.`);
  }
  writeFileSync(path, String(process.pid));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user cannot be signalled, but it runs.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** @throws if a line before the last one is damaged */
function readChanges(path: string): Change[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  // A crash leaves a last line without its end; nothing was promised about it.
  lines.pop();
  return lines.map((line) => JSON.parse(line) as Change);
}

function syncDirectory(path: string): void {
  const directory = openSync(path, 'r');
  fsyncSync(directory);
  closeSync(directory);
}
