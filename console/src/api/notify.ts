import { quietTypes } from '@hengtai/contract/notify';
import { session } from '@hengtai/contract/session';
import type { Counts, NotificationRow } from '@hengtai/contract/notify.schema';
import { create } from 'zustand';
import { send } from './client.ts';
import { type FromLine, type LineMode, openLine } from './notify-line.ts';
import type { FromWorker, ToWorker } from './notify-worker.ts';
import { queryClient } from './query-client.ts';
import { onSessionChange, readSession } from './session.ts';
import { claimInStorage } from './sound-claim.ts';

/** So many notifications are kept to be looked at. */
const KEPT = 200;

export interface NotifyState {
  mode: LineMode;
  /** What waits for the operator; empty until it is known. */
  counts: Counts;
  /** The latest first. */
  facts: readonly NotificationRow[];
  /** Id up to which all notifications are known; null until the first answer. */
  last: number | null;
}

const nothing: NotifyState = { mode: 'connecting', counts: {}, facts: [], last: null };
const useNotify = create<NotifyState>(() => nothing);

/** What waits for the operator, in step with the server. */
export const useCounts = (): Counts => useNotify(({ counts }) => counts);
/** The latest notifications of the operator's tree, the newest first; at most 200 are kept. */
export const useNotifications = (): readonly NotificationRow[] =>
  useNotify(({ facts: notifications }) => notifications);
/** As they stand at this moment, which the last render may not have seen yet. */
export const currentNotifications = (): readonly NotificationRow[] => useNotify.getState().facts;
export const useNotifyMode = (): LineMode => useNotify(({ mode }) => mode);
export const useLastNotification = (): number | null => useNotify(({ last }) => last);

type Listener = (notifications: readonly NotificationRow[]) => void;
const listeners = new Set<Listener>();

/** Hears of notifications as they happen, in their order, the quiet ones too; not of those that were there before. */
export function onNotifications(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

interface Holder {
  useToken(token: string): void;
  /** Asks to be the one window that sounds for this notification. */
  claim(id: number): void;
  close(): void;
}

let holder: Holder | undefined;
let granted: ((id: number) => void) | undefined;

/** Keeps the window in step with the server until the returned function is called; one line serves all windows. */
export function startNotify(): () => void {
  const own = readSession()?.admin;
  const begin = () => {
    const now = readSession();
    if (!now || now.admin !== own || holder) return;
    holder = inWorker(now.token, now.admin) ?? inWindow(now.token);
  };
  const end = () => {
    holder?.close();
    holder = undefined;
  };
  const unheard = onSessionChange((next) => {
    if (next && next.admin === own) holder?.useToken(next.token);
    else end();
  });
  // A window that goes into the browser's memory of pages, or comes back from it.
  window.addEventListener('pagehide', end);
  window.addEventListener('pageshow', begin);
  begin();
  return () => {
    unheard();
    window.removeEventListener('pagehide', end);
    window.removeEventListener('pageshow', begin);
    end();
    useNotify.setState(nothing);
  };
}

/** Resolves to whether this window is the one of all windows that may sound for a notification. */
export function claimSound(id: number): Promise<boolean> {
  return new Promise((resolve) => {
    granted = (given) => given === id && resolve(true);
    setTimeout(() => resolve(false), 1000);
    holder?.claim(id);
  });
}

/** The worker that all windows of the browser share; undefined where there is none, or none may be. */
function inWorker(token: string, admin: string): Holder | undefined {
  if (typeof SharedWorker === 'undefined') return undefined;
  let closed = false;
  let fallen: Holder | undefined;
  let current = token;
  try {
    const worker = new SharedWorker(new URL('./notify-worker.ts', import.meta.url), { type: 'module', name: 'notify' });
    const tell = (message: ToWorker) => worker.port.postMessage(message, []);
    worker.port.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
      if (!closed && !fallen) hear(data);
    });
    worker.port.start();
    worker.addEventListener('error', () => {
      if (!closed) fallen ??= inWindow(current);
    });
    tell({ kind: 'hello', token, admin });
    return {
      useToken: (next) => {
        current = next;
        if (fallen) fallen.useToken(next);
        else tell({ kind: 'token', token: next });
      },
      claim: (id) => (fallen ? fallen.claim(id) : tell({ kind: 'claim', id })),
      close: () => {
        closed = true;
        tell({ kind: 'bye' });
        fallen?.close();
      },
    };
  } catch {
    return undefined;
  }
}

/** A line of the window's own. */
function inWindow(token: string): Holder {
  const line = openLine(token, hear);
  return {
    useToken: (next) => line.useToken(next),
    claim: (id) => void claimInStorage(id).then((mine) => mine && granted?.(id)),
    close: () => line.stop(),
  };
}

function hear(message: FromLine | FromWorker) {
  if (message.kind === 'granted') granted?.(message.id);
  if (message.kind === 'mode') useNotify.setState({ mode: message.mode });
  if (message.kind === 'counts') useNotify.setState({ counts: message.counts });
  if (message.kind === 'ended') void checkSession(message.token);
  if (message.kind === 'snapshot') {
    const { counts, facts: notifications, last, missed } = message;
    useNotify.setState({ counts, facts: notifications, last });
    if (missed) void queryClient.invalidateQueries();
  }
  if (message.kind === 'facts') {
    const { facts: notifications, last } = message;
    const read = notifications.filter(({ type }) => !quietTypes.includes(type)).toReversed();
    useNotify.setState((now) => ({ facts: [...read, ...now.facts].slice(0, KEPT), last }));
    for (const listener of listeners) listener(notifications);
  }
}

/** The line was refused under a token: this window may know a newer one, else the session is over and says so itself. */
async function checkSession(token: string) {
  const now = readSession()?.token;
  if (now !== undefined && now !== token) return holder?.useToken(now);
  // The refusal ends the session here and in every other window.
  await send(session.me, {}).catch(() => undefined);
}
