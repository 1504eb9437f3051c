import { API_BASE, type CallSpec, type OutputOf } from '@hengtai/contract/endpoint';
import { CODE, type Envelope } from '@hengtai/contract/envelope';
import { NOTIFICATIONS_SIZE_MAX, HEARTBEAT_SECONDS, type StreamEvents, notify } from '@hengtai/contract/notify';
import type { Counts, NotificationRow } from '@hengtai/contract/notify.schema';
import { IDLE_HEADER } from '@hengtai/contract/session';
import { type ServerEvent, eventParser } from './server-events.ts';

/** live: pushed; polling: asked every 15 seconds, where streams do not come through; off: no answer at all. */
export type LineMode = 'connecting' | 'live' | 'polling' | 'off';

/** Messages from a line to its owner. */
export type FromLine =
  | { kind: 'mode'; mode: LineMode }
  /** All there is to know, the latest notification first; `missed`: what lies between this and the last one is not known. */
  | { kind: 'snapshot'; counts: Counts; facts: NotificationRow[]; last: number; missed: boolean }
  | { kind: 'counts'; counts: Counts }
  /** What happened just now, in its order. */
  | { kind: 'facts'; facts: NotificationRow[]; last: number }
  /** The session of this token is over; the line waits for another one. */
  | { kind: 'ended'; token: string };

export interface Line {
  useToken(token: string): void;
  stop(): void;
}

/** The first words of a stream must come within this time, or something between holds them back. */
const FIRST_WORD_MS = 10_000;
/** A stream without a word for so long is dead, whatever the network says. */
const SILENCE_MS = HEARTBEAT_SECONDS * 2500;
const POLL_MS = 15_000;
/** While polling, a stream is tried again after so many questions. */
const POLLS_BETWEEN_STREAMS = 4;
const STREAMS_TRIED = 3;
const BACKOFF_MS = 500;
const BACKOFF_MOST_MS = 15_000;

class SessionOver extends Error {}

interface State {
  tell: (message: FromLine) => void;
  token: string;
  last: number | undefined;
  missed: boolean;
  stopping: AbortController;
  /** Called when another token came. */
  renewed: () => void;
}

/** Opens the line to the server and keeps it open until it is stopped; breaks are its own matter. */
export function openLine(token: string, tell: (message: FromLine) => void): Line {
  const stopping = new AbortController();
  const state: State = { tell, token, last: undefined, missed: false, stopping, renewed: () => undefined };
  void run(state);
  return {
    useToken: (next) => {
      if (next === state.token) return;
      state.token = next;
      state.renewed();
    },
    stop: () => stopping.abort(),
  };
}

async function run(state: State): Promise<void> {
  const { signal } = state.stopping;
  let failures = 0;
  while (!signal.aborted) {
    try {
      if (state.last === undefined) await readAll(state);
      failures = (await listen(state)) ? 1 : failures + 1;
    } catch (error) {
      failures += 1;
      if (error instanceof SessionOver && (await anotherToken(state))) failures = 0;
    }
    if (failures >= STREAMS_TRIED) await poll(state);
    else if (failures > 0) await pause(backoff(failures), signal);
  }
}

/** Not all consoles come back in the same moment after a server was away. */
const backoff = (failures: number): number =>
  Math.min(BACKOFF_MS * 2 ** failures, BACKOFF_MOST_MS) * (0.5 + Math.random() / 2);

async function anotherToken(state: State): Promise<boolean> {
  const { signal } = state.stopping;
  if (signal.aborted) return false;
  const over = state.token;
  await new Promise<void>((resolve) => {
    state.renewed = resolve;
    signal.addEventListener('abort', () => resolve());
    state.tell({ kind: 'ended', token: over });
  });
  return state.token !== over;
}

async function readAll(state: State): Promise<void> {
  const [counts, { list, last }] = await Promise.all([ask(state, notify.counts), ask(state, notify.facts)]);
  state.last = last;
  state.tell({ kind: 'snapshot', counts, facts: list, last, missed: state.missed });
  state.missed = false;
}

/** Asks now and then where a stream does not come through. */
async function poll(state: State): Promise<void> {
  const { signal } = state.stopping;
  for (let times = 0; times < POLLS_BETWEEN_STREAMS && !signal.aborted; times += 1) {
    try {
      if (state.last === undefined) await readAll(state);
      else await fetchNotifications(state, state.last);
      state.tell({ kind: 'mode', mode: 'polling' });
    } catch (error) {
      if (error instanceof SessionOver) return;
      state.tell({ kind: 'mode', mode: 'off' });
    }
    await pause(POLL_MS, signal);
  }
}

async function fetchNotifications(state: State, after: number): Promise<void> {
  const query = `?after=${after}&size=${NOTIFICATIONS_SIZE_MAX}`;
  const [counts, { list, last }] = await Promise.all([ask(state, notify.counts), ask(state, notify.facts, query)]);
  state.last = last;
  state.tell({ kind: 'counts', counts });
  if (list.length > 0) state.tell({ kind: 'facts', facts: list.toReversed(), last });
}

async function ask<C extends CallSpec>(state: State, call: C, query = ''): Promise<OutputOf<C>> {
  const signal = AbortSignal.any([state.stopping.signal, AbortSignal.timeout(SILENCE_MS)]);
  const response = await fetch(API_BASE + call.path + query, { ...options(state), signal });
  const { code, data } = (await response.json()) as Envelope<OutputOf<C>>;
  if (code === CODE.sessionInvalid) throw new SessionOver();
  if (code !== CODE.ok) throw new Error(`${call.path}: ${code}`);
  return data;
}

/** Nobody's doing: however long it goes on, the session gets no younger by it. */
const options = ({ token }: State): RequestInit => ({
  headers: { token, [IDLE_HEADER]: '1' },
  cache: 'no-store',
  credentials: 'omit',
});

/** Hears one stream to its end. Resolves with whether it has said anything; throws where it was refused. */
async function listen(state: State): Promise<boolean> {
  const cutting = new AbortController();
  const signal = AbortSignal.any([cutting.signal, state.stopping.signal]);
  let watch = setTimeout(() => cutting.abort(), FIRST_WORD_MS);
  let heard = false;
  try {
    const url = `${API_BASE}${notify.stream.path}?last=${state.last ?? 0}`;
    const response = await fetch(url, { ...options(state), signal });
    if (!response.headers.get('content-type')?.startsWith('text/event-stream') || !response.body) {
      const { code } = (await response.json()) as Envelope;
      throw code === CODE.sessionInvalid ? new SessionOver() : new Error(`stream: ${code}`);
    }
    const decoder = new TextDecoder();
    const events: ServerEvent[] = [];
    const parse = eventParser((event) => events.push(event));
    for await (const bytes of chunksOf(response.body)) {
      clearTimeout(watch);
      watch = setTimeout(() => cutting.abort(), SILENCE_MS);
      if (!heard) state.tell({ kind: 'mode', mode: 'live' });
      heard = true;
      parse(decoder.decode(bytes, { stream: true }));
      if (!hear(state, events.splice(0))) return true;
    }
    return heard;
  } catch (error) {
    // A line that broke after it had spoken is tried again at once.
    if (heard && !(error instanceof SessionOver)) return true;
    throw error;
  } finally {
    clearTimeout(watch);
    cutting.abort();
    if (!state.stopping.signal.aborted) state.tell({ kind: 'mode', mode: 'connecting' });
  }
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const drawer = body.getReader();
  for (;;) {
    const { done, value } = await drawer.read();
    if (done) return;
    yield value;
  }
}

/** Handles one chunk; notifications that arrived together are passed on together. False: start over. */
function hear(state: State, events: readonly ServerEvent[]): boolean {
  const notifications: NotificationRow[] = [];
  for (const { event, data } of events) {
    const value: unknown = JSON.parse(data);
    if (event === 'session') throw new SessionOver();
    if (event === 'fact') notifications.push(value as StreamEvents['fact']);
    if (event === 'counts') state.tell({ kind: 'counts', counts: value as StreamEvents['counts'] });
    if (event === 'reset') {
      state.last = undefined;
      state.missed = true;
      return false;
    }
  }
  const last = notifications.at(-1)?.id;
  if (last !== undefined) {
    state.last = last;
    state.tell({ kind: 'facts', facts: notifications, last });
  }
  return true;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
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
