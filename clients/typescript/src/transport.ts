import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sign } from './signature.ts';
import type { GatewayError } from './types.ts';

export interface ClientOptions {
  /** Address of the back office, for example `https://backoffice.example.com`. */
  url: string;
  key: string;
  secret: string;
  /** Sends a nonce with each try, so that nobody can repeat it. A key can demand this; false by default. */
  nonce?: boolean;
  /** Ends all calls, also those that wait for a retry. */
  signal?: AbortSignal;
  /** Milliseconds to wait for an answer; 60,000 by default. */
  timeoutMs?: number;
  /** Called before each retry, for logs. */
  onRetry?: (retry: Retry) => void;
  /** Clock in unix milliseconds. Its error is corrected by the answers of the server. */
  now?: () => number;
  /** Waits between two tries. */
  sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

export interface Retry {
  path: string;
  /** Number of failed tries so far. */
  tries: number;
  error: Error;
}

/** The server refused a call. The same call would be refused again. */
export class RefusedCall extends Error {
  override readonly name = 'RefusedCall';
  /** HTTP status. */
  readonly status: number;
  /** The code of the refusal; empty if something before the server refused the call. */
  readonly error: GatewayError | '';
  readonly data: unknown;

  constructor(status: number, error: GatewayError | '', message: string, data: unknown) {
    super(`${status} ${error}: ${message}`);
    this.status = status;
    this.error = error;
    this.data = data;
  }
}

const BASE = '/platform/v1/';
const TIMEOUT_MS = 60_000;
const BACKOFF_FIRST_MS = 250;
const BACKOFF_MAX_MS = 8_000;

/** Signs calls, and repeats a call with the same body until the server answers it. */
export class Transport {
  readonly #options: ClientOptions;
  /** Milliseconds that the clock of the server is ahead. */
  #skew = 0;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /**
   * Makes a call and returns the `data` of its answer. Network errors, time-outs and answers of 500 and above are retried
   * until the signal aborts, because the server may or may not have done the call; nothing takes effect twice.
   *
   * @param path path below `/platform/v1/`, with query
   * @param waitMs milliseconds that the server may delay its answer
   * @throws RefusedCall, or the reason of the signal
   */
  async call(method: 'GET' | 'POST', path: string, body = '', waitMs = 0): Promise<unknown> {
    const { signal, onRetry, sleep = defaultSleep } = this.#options;
    for (let tries = 0, corrections = 0; ; tries += 1) {
      signal?.throwIfAborted();
      try {
        return await this.#attempt(method, path, body, waitMs);
      } catch (error) {
        signal?.throwIfAborted();
        const isCorrected = this.#correctClock(error);
        // A clock that is wrong again after a correction is an outage like any other.
        if (isCorrected && (corrections += 1) === 1) continue;
        if (error instanceof RefusedCall && !isCorrected && !isTemporary(error.status)) throw error;
        onRetry?.({ path, tries: tries + 1, error: error instanceof Error ? error : new Error(String(error)) });
        await sleep(backoffOf(tries), signal);
      }
    }
  }

  async #attempt(method: string, path: string, body: string, waitMs: number): Promise<unknown> {
    const { url, key, secret, nonce, signal, timeoutMs = TIMEOUT_MS, now = Date.now } = this.#options;
    const target = new URL(`${BASE}${path}`, url);
    const time = String(Math.round(now() + this.#skew));
    const fresh = nonce ? randomUUID() : undefined;
    const limit = limitCall(timeoutMs + waitMs, signal);
    try {
      const response = await fetch(target, {
        method,
        // The signature covers the path, so another address would refuse it.
        redirect: 'manual',
        signal: limit.signal,
        headers: {
          'x-key': key,
          'x-time': time,
          ...(fresh !== undefined && { 'x-nonce': fresh }),
          'x-signature': sign(
            secret,
            fresh === undefined ? time : `${time} ${fresh}`,
            method,
            `${target.pathname}${target.search}`,
            body,
          ),
          ...(body === '' ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === '' ? {} : { body }),
      });
      return readAnswer(response.status, await response.text());
    } finally {
      limit.release();
    }
  }

  /** Adopts the time of the server if it refused the call because of the clock. */
  #correctClock(error: unknown): boolean {
    if (!(error instanceof RefusedCall) || error.error !== 'clock_skew') return false;
    const { serverTime } = (error.data ?? {}) as { serverTime?: unknown };
    if (typeof serverTime !== 'number') return false;
    const { now = Date.now } = this.#options;
    this.#skew = serverTime - now();
    return true;
  }
}

interface Envelope {
  msg?: string;
  error?: GatewayError;
  data: unknown;
}

/** @throws RefusedCall, or an error if the answer is not one of the server */
function readAnswer(status: number, text: string): unknown {
  const envelope = parseEnvelope(text);
  if (status !== 200) {
    throw new RefusedCall(status, envelope?.error ?? '', envelope?.msg ?? text.slice(0, 200), envelope?.data);
  }
  if (!envelope) throw new Error(`The answer is not an envelope of the gateway: ${text.slice(0, 200)}`);
  return envelope.data;
}

function parseEnvelope(text: string): Envelope | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'data' in value ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the same call can succeed later. */
const isTemporary = (status: number): boolean => status >= 500 || status === 408 || status === 429;

/** Milliseconds until the next try: doubles up to a maximum, with a random half, so that clients do not return at once. */
function backoffOf(tries: number): number {
  const most = Math.min(BACKOFF_FIRST_MS * 2 ** tries, BACKOFF_MAX_MS);
  return most / 2 + (Math.random() * most) / 2;
}

const defaultSleep = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  wait(ms, undefined, signal ? { signal } : {});

/**
 * Aborts a call after a time-out or by the signal. The listener is removed after each call, because a process makes millions
 * of them.
 */
function limitCall(ms: number, end: AbortSignal | undefined): { signal: AbortSignal; release: () => void } {
  const limit = new AbortController();
  const abort = (): void => limit.abort(end?.aborted ? end.reason : new Error(`no answer within ${ms} ms`));
  const timer = setTimeout(abort, ms);
  end?.addEventListener('abort', abort);
  return {
    signal: limit.signal,
    release: () => {
      clearTimeout(timer);
      end?.removeEventListener('abort', abort);
    },
  };
}
