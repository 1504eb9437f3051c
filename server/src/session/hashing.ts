import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';

/** argon2id, 19 MiB, two passes, one lane: the smallest set that OWASP names. */
export const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A password to be hashed, or to be compared with a hash. */
export interface HashOrder {
  password: string;
  against?: string;
}

/** The hash, or whether the password is that of the hash. */
export type Hashed = string | boolean;

export type HashAnswer = { hashed: Hashed } | { failed: string };

/** Takes a processor for some twenty milliseconds. */
export function answerTo({ password, against }: HashOrder): HashAnswer {
  try {
    return { hashed: against === undefined ? hashSync(password, PARAMETERS) : verifySync(against, password) };
  } catch (error) {
    return { failed: String(error) };
  }
}

/** A thread of low priority for one order at a time; it keeps no process from ending. */
export class HashThread {
  readonly #worker: Worker;
  #left = false;

  constructor(worker: Worker = new Worker(fileURLToPath(new URL('./hasher.js', import.meta.url)), { env: {} })) {
    this.#worker = worker;
    this.#worker.unref();
    this.#worker.once('exit', () => (this.#left = true));
    // Callers that wait for an answer are rejected as well.
    this.#worker.on('error', () => undefined);
  }

  /** Whether it ended, and takes no more orders. */
  get left(): boolean {
    return this.#left;
  }

  /** @throws where the thread ended over it, and where the hash is none */
  async ask(order: HashOrder): Promise<Hashed> {
    const ended = new AbortController();
    const worker = this.#worker;
    const leaves = (): void => ended.abort(new Error('the thread that hashes has ended'));
    worker.ref();
    worker.once('exit', leaves);
    try {
      const answered = once(worker, 'message', { signal: ended.signal }) as Promise<[HashAnswer]>;
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      worker.postMessage(order);
      const [answer] = await answered;
      if ('failed' in answer) throw new Error(answer.failed);
      return answer.hashed;
    } finally {
      worker.off('exit', leaves);
      worker.unref();
    }
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
