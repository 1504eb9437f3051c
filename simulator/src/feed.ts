import { createHmac } from 'node:crypto';
import { COMMANDS_MAX, EVENTS_MAX, PLATFORM_BASE, POLL_MAX_SECONDS, signedText } from '@hengtai/contract/gateway';
import type { PlatformCommand } from '@hengtai/contract/gateway-commands.schema';
import type { PlatformEvent } from '@hengtai/contract/gateway-events.schema';
import type { Ack, EventAnswer } from '@hengtai/contract/gateway.schema';
import type { Clock } from './clock.ts';
import { log } from './log.ts';

export interface Feed {
  /** Calls are retried until the server answers. They throw `StoppedError` when the process ends. */
  read: (path: string) => Promise<unknown>;
  /** Like `read`, but undefined on 404. */
  readIfExists: (path: string) => Promise<unknown>;
  /** Ends the import of the history. A refusal is only logged; then the admin ends it in the console. */
  goLive: () => Promise<void>;
  send: (events: readonly PlatformEvent[]) => Promise<EventAnswer[]>;
  ack: (acks: readonly Ack[]) => Promise<void>;
  /** One long poll; an empty list means that no command arrived in time. */
  poll: (after: number) => Promise<PlatformCommand[]>;
}

export interface FeedOptions {
  url: string;
  key: string;
  secret: string;
  clock: Clock;
  signal: AbortSignal;
  /** Longest wait of a poll for commands, in seconds. */
  wait: number;
}

/** Thrown by pending calls when the process ends; not a failure. */
export class StoppedError extends Error {}

/** The server refused the request; a retry would give the same answer. */
class RefusedError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const ANSWER_MS = 60_000;
const BACKOFF_FIRST_MS = 250;
const BACKOFF_MAX_MS = 8_000;
/** Statuses that a retry cannot change: malformed, forbidden, not found, too large, unsupported, invalid. */
const FINAL = [400, 403, 404, 413, 415, 422];

export const sign = (secret: string, time: string, method: string, pathAndQuery: string, body: string): string =>
  createHmac('sha256', secret)
    .update(signedText(time, method, pathAndQuery, body))
    .digest('hex');

export function createFeed(options: FeedOptions): Feed {
  const retry = async <T>(path: string, attempt: () => Promise<T>): Promise<T> => {
    for (let tries = 0; ; tries += 1) {
      if (options.signal.aborted) throw new StoppedError();
      try {
        const done = await attempt();
        if (tries > 1) log('the server answers again', { path, tries });
        return done;
      } catch (error) {
        if (options.signal.aborted) throw new StoppedError();
        if (error instanceof RefusedError) throw error;
        // A single failure is normal during a restart, so only the second is logged.
        if (tries === 1) log('waiting for the server', { path, error: describe(error) });
        await options.clock.sleep(Math.min(BACKOFF_FIRST_MS * 2 ** tries, BACKOFF_MAX_MS), options.signal);
      }
    }
  };
  const post = (path: string, rows: readonly unknown[]): Promise<unknown> =>
    retry(path, () => call(options, 'POST', path, JSON.stringify(rows)));

  const read = (path: string): Promise<unknown> => retry(path, () => call(options, 'GET', path, ''));

  return {
    read,
    readIfExists: async (path) => {
      try {
        return await read(path);
      } catch (error) {
        if (error instanceof RefusedError && error.status === 404) return undefined;
        throw error;
      }
    },
    goLive: async () => {
      try {
        await retry('live', () => call(options, 'POST', 'live', ''));
      } catch (error) {
        if (!(error instanceof RefusedError)) throw error;
        log('the server refused to go live', { error: error.message });
      }
    },
    send: (events) => sendInBatches(events, (part) => sendPart(part, post), rejectedAsInvalid),
    ack: async (acks) => {
      await sendInBatches(
        acks,
        async (part) => (await post('commands/ack', part), []),
        () => [],
      );
    },
    poll: async (after) => {
      const path = `commands?after=${after}&limit=${COMMANDS_MAX}&wait=${Math.min(options.wait, POLL_MAX_SECONDS)}`;
      const data = await retry('commands', () => call(options, 'GET', path, ''));
      if (!Array.isArray(data)) throw new Error('The response of GET commands is not a list.');
      return data as PlatformCommand[];
    },
  };
}

async function sendPart(
  events: readonly PlatformEvent[],
  post: (path: string, rows: readonly unknown[]) => Promise<unknown>,
): Promise<EventAnswer[]> {
  const answers = (await post('events', events)) as EventAnswer[];
  const matching = Array.isArray(answers) && answers.length === events.length;
  if (!matching || answers.some((answer, index) => answer.eventId !== events[index]?.eventId)) {
    throw new Error(`The server did not return one result for each of the ${events.length} events.`);
  }
  return answers;
}

const rejectedAsInvalid = (event: PlatformEvent): EventAnswer[] => [
  { eventId: event.eventId, result: 'rejected', reason: 'invalid' },
];

/**
 * Sends rows in batches. A refused batch is split in halves until the bad row is found, so that it cannot block
 * the rows behind it.
 */
async function sendInBatches<R, A>(
  rows: readonly R[],
  send: (part: readonly R[]) => Promise<A[]>,
  reject: (row: R) => A[],
): Promise<A[]> {
  const [first] = rows;
  if (first === undefined) return [];
  const half = Math.ceil(rows.length / 2);
  const sendHalves = async (): Promise<A[]> => [
    ...(await sendInBatches(rows.slice(0, half), send, reject)),
    ...(await sendInBatches(rows.slice(half), send, reject)),
  ];
  if (rows.length > EVENTS_MAX) return sendHalves();
  try {
    return await send(rows);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    if (rows.length > 1) return sendHalves();
    log('the server refused a request', { status: error.status, error: error.message });
    return reject(first);
  }
}

async function call(options: FeedOptions, method: string, path: string, body: string): Promise<unknown> {
  const url = new URL(`${PLATFORM_BASE}${path}`, options.url);
  const time = String(options.clock.now());
  const limit = limitCall(options.signal);
  try {
    const answer = await fetch(url, {
      method,
      signal: limit.signal,
      headers: {
        'x-key': options.key,
        'x-time': time,
        'x-signature': sign(options.secret, time, method, `${url.pathname}${url.search}`, body),
        ...(body === '' ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === '' ? {} : { body }),
    });
    const text = await answer.text();
    if (!answer.ok) {
      const message = `${answer.status} ${text.slice(0, 200)}`;
      throw FINAL.includes(answer.status) ? new RefusedError(answer.status, message) : new Error(message);
    }
    return (JSON.parse(text) as { data: unknown }).data;
  } finally {
    limit.release();
  }
}

/**
 * Aborts a call after a timeout or when the process ends. The listener is removed after each call because a
 * process makes millions of them.
 */
function limitCall(end: AbortSignal): { signal: AbortSignal; release: () => void } {
  const limit = new AbortController();
  const abort = (): void => limit.abort(new Error(`no answer within ${ANSWER_MS} ms`));
  const timer = setTimeout(abort, ANSWER_MS);
  end.addEventListener('abort', abort);
  if (end.aborted) abort();
  return {
    signal: limit.signal,
    release: () => {
      clearTimeout(timer);
      end.removeEventListener('abort', abort);
    },
  };
}

const describe = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${error instanceof Error ? error.message : String(error)}${cause}`;
};
