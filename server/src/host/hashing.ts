import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';

/** argon2id with 19 MiB, two passes and one lane: the minimum that OWASP recommends. */
export const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A password to hash, or to compare with the hash `against`. */
export interface HashJob {
  password: string;
  against?: string;
}

/** The hash, or whether the password matches `against`. */
export type HashResult = string | boolean;

export type HashAnswer = { result: HashResult } | { error: string };

/** Hashes synchronously; occupies the thread for about 20 ms. */
export function runHashJob({ password, against }: HashJob): HashAnswer {
  try {
    return { result: against === undefined ? hashSync(password, PARAMETERS) : verifySync(against, password) };
  } catch (error) {
    return { error: String(error) };
  }
}

/** A worker thread of low priority for one job at a time. It does not keep the process alive. */
export class HashThread {
  readonly #worker: Worker;
  #hasExited = false;

  constructor(worker: Worker = new Worker(fileURLToPath(new URL('./hasher.js', import.meta.url)), { env: {} })) {
    this.#worker = worker;
    this.#worker.unref();
    this.#worker.once('exit', () => (this.#hasExited = true));
    // Without a listener the error would end the process; waiting callers are rejected by `once`.
    this.#worker.on('error', () => undefined);
  }

  /** Whether the thread has ended and accepts no more jobs. */
  get hasExited(): boolean {
    return this.#hasExited;
  }

  /** @throws Error when the thread ends before it answers, or when `against` is not a hash */
  async run(job: HashJob): Promise<HashResult> {
    const ended = new AbortController();
    const worker = this.#worker;
    const onExit = (): void => ended.abort(new Error('The hashing thread has ended.'));
    worker.ref();
    worker.once('exit', onExit);
    try {
      const message = once(worker, 'message', { signal: ended.signal }) as Promise<[HashAnswer]>;
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      worker.postMessage(job);
      const [answer] = await message;
      if ('error' in answer) throw new Error(answer.error);
      return answer.result;
    } finally {
      worker.off('exit', onExit);
      worker.unref();
    }
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
