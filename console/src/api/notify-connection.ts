import { API_BASE, type CallSpec, type OutputOf } from '@hengtai/contract/wire/endpoint';
import { NOTIFICATIONS_SIZE_MAX } from '@hengtai/contract/wire/input-values';
import { CODE, type Envelope } from '@hengtai/contract/wire/envelope';
import { HEARTBEAT_SECONDS, type StreamEvents, notify } from '@hengtai/contract/desk/notify/calls';
import type { Counts, NotificationRow } from '@hengtai/contract/desk/notify/schema';
import { IDLE_HEADER } from '@hengtai/contract/house/session/calls';
import { type ServerEvent, createEventParser } from './server-events.ts';

/** live: events are pushed; polling: fetched every 15 seconds because no stream gets through; off: no response. */
export type ConnectionMode = 'connecting' | 'live' | 'polling' | 'off';

/** Messages from the connection to its owner. */
export type ConnectionMessage =
  | { kind: 'mode'; mode: ConnectionMode }
  /** Complete state, latest notification first. `missed`: notifications before it may have been lost. */
  | { kind: 'snapshot'; counts: Counts; notifications: NotificationRow[]; last: number; missed: boolean }
  | { kind: 'counts'; counts: Counts }
  /** New notifications, oldest first. */
  | { kind: 'notifications'; notifications: NotificationRow[]; last: number }
  /** The session of this token has ended; the connection waits for a new token. */
  | { kind: 'ended'; token: string };

export interface Connection {
  useToken(token: string): void;
  stop(): void;
}

/** Without a byte within this time a proxy is assumed to buffer the stream. */
const FIRST_BYTE_MS = 10_000;
/** A stream that is silent for this long is considered dead. */
const SILENCE_MS = HEARTBEAT_SECONDS * 2500;
const POLL_MS = 15_000;
/** Polls between two attempts to open a stream. */
const POLLS_BETWEEN_STREAMS = 4;
const STREAM_ATTEMPTS = 3;
const BACKOFF_MS = 500;
const BACKOFF_MAX_MS = 15_000;

class SessionEnded extends Error {}

interface State {
  emit: (message: ConnectionMessage) => void;
  token: string;
  last: number | undefined;
  missed: boolean;
  abort: AbortController;
  /** Called when a new token arrives. */
  onNewToken: () => void;
}

/** Opens a connection to the server and reconnects until it is stopped. */
export function openConnection(token: string, emit: (message: ConnectionMessage) => void): Connection {
  const abort = new AbortController();
  const state: State = { emit, token, last: undefined, missed: false, abort, onNewToken: () => undefined };
  void keepConnected(state);
  return {
    useToken: (next) => {
      if (next === state.token) return;
      state.token = next;
      state.onNewToken();
    },
    stop: () => abort.abort(),
  };
}

async function keepConnected(state: State): Promise<void> {
  const { signal } = state.abort;
  let failures = 0;
  while (!signal.aborted) {
    try {
      if (state.last === undefined) await fetchSnapshot(state);
      failures = (await readStream(state)) ? 1 : failures + 1;
    } catch (error) {
      failures += 1;
      if (error instanceof SessionEnded && (await waitForNewToken(state))) failures = 0;
    }
    if (failures >= STREAM_ATTEMPTS) await poll(state);
    else if (failures > 0) await sleep(backoff(failures), signal);
  }
}

/** Exponential with jitter, so that consoles do not all reconnect at once after an outage. */
const backoff = (failures: number): number =>
  Math.min(BACKOFF_MS * 2 ** failures, BACKOFF_MAX_MS) * (0.5 + Math.random() / 2);

async function waitForNewToken(state: State): Promise<boolean> {
  const { signal } = state.abort;
  if (signal.aborted) return false;
  const endedToken = state.token;
  await new Promise<void>((resolve) => {
    state.onNewToken = resolve;
    signal.addEventListener('abort', () => resolve());
    state.emit({ kind: 'ended', token: endedToken });
  });
  return state.token !== endedToken;
}

async function fetchSnapshot(state: State): Promise<void> {
  const [counts, { list, last }] = await Promise.all([fetchData(state, notify.counts), fetchData(state, notify.facts)]);
  state.last = last;
  state.emit({ kind: 'snapshot', counts, notifications: list, last, missed: state.missed });
  state.missed = false;
}

/** Polls while no stream gets through. */
async function poll(state: State): Promise<void> {
  const { signal } = state.abort;
  for (let times = 0; times < POLLS_BETWEEN_STREAMS && !signal.aborted; times += 1) {
    try {
      if (state.last === undefined) await fetchSnapshot(state);
      else await fetchNotifications(state, state.last);
      state.emit({ kind: 'mode', mode: 'polling' });
    } catch (error) {
      if (error instanceof SessionEnded) return;
      state.emit({ kind: 'mode', mode: 'off' });
    }
    await sleep(POLL_MS, signal);
  }
}

async function fetchNotifications(state: State, after: number): Promise<void> {
  const query = `?after=${after}&size=${NOTIFICATIONS_SIZE_MAX}`;
  const [counts, { list, last }] = await Promise.all([
    fetchData(state, notify.counts),
    fetchData(state, notify.facts, query),
  ]);
  state.last = last;
  state.emit({ kind: 'counts', counts });
  if (list.length > 0) state.emit({ kind: 'notifications', notifications: list.toReversed(), last });
}

async function fetchData<C extends CallSpec>(state: State, call: C, query = ''): Promise<OutputOf<C>> {
  const signal = AbortSignal.any([state.abort.signal, AbortSignal.timeout(SILENCE_MS)]);
  const response = await fetch(API_BASE + call.path + query, { ...requestOptions(state), signal });
  const { code, data } = (await response.json()) as Envelope<OutputOf<C>>;
  if (code === CODE.sessionInvalid) throw new SessionEnded();
  if (code !== CODE.ok) throw new Error(`${call.path}: ${code}`);
  return data;
}

/** Marked as idle, because background requests must not extend the session. */
const requestOptions = ({ token }: State): RequestInit => ({
  headers: { token, [IDLE_HEADER]: '1' },
  cache: 'no-store',
  credentials: 'omit',
});

/** Reads one stream until it ends. Resolves to whether it delivered data; throws if the server refused it. */
async function readStream(state: State): Promise<boolean> {
  const abort = new AbortController();
  const signal = AbortSignal.any([abort.signal, state.abort.signal]);
  let watchdog = setTimeout(() => abort.abort(), FIRST_BYTE_MS);
  let hasReceived = false;
  try {
    const url = `${API_BASE}${notify.stream.path}?last=${state.last ?? 0}`;
    const response = await fetch(url, { ...requestOptions(state), signal });
    if (!response.headers.get('content-type')?.startsWith('text/event-stream') || !response.body) {
      const { code } = (await response.json()) as Envelope;
      throw code === CODE.sessionInvalid ? new SessionEnded() : new Error(`stream: ${code}`);
    }
    const decoder = new TextDecoder();
    const events: ServerEvent[] = [];
    const parse = createEventParser((event) => events.push(event));
    for await (const bytes of readChunks(response.body)) {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => abort.abort(), SILENCE_MS);
      if (!hasReceived) state.emit({ kind: 'mode', mode: 'live' });
      hasReceived = true;
      parse(decoder.decode(bytes, { stream: true }));
      if (!handleEvents(state, events.splice(0))) return true;
    }
    return hasReceived;
  } catch (error) {
    // A stream that had delivered data counts as the first failure again, so it is reopened soon.
    if (hasReceived && !(error instanceof SessionEnded)) return true;
    throw error;
  } finally {
    clearTimeout(watchdog);
    abort.abort();
    if (!state.abort.signal.aborted) state.emit({ kind: 'mode', mode: 'connecting' });
  }
}

async function* readChunks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/**
 * Handles the events of one chunk; notifications of a chunk are emitted together. False after a reset: the caller must
 * start over.
 */
function handleEvents(state: State, events: readonly ServerEvent[]): boolean {
  const notifications: NotificationRow[] = [];
  for (const { event, data } of events) {
    const value: unknown = JSON.parse(data);
    if (event === 'session') throw new SessionEnded();
    if (event === 'fact') notifications.push(value as StreamEvents['fact']);
    if (event === 'counts') state.emit({ kind: 'counts', counts: value as StreamEvents['counts'] });
    if (event === 'reset') {
      state.last = undefined;
      state.missed = true;
      return false;
    }
  }
  const last = notifications.at(-1)?.id;
  if (last !== undefined) {
    state.last = last;
    state.emit({ kind: 'notifications', notifications, last });
  }
  return true;
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
