import { quietTypes } from '@hengtai/contract/desk/notify/notification';
import { session } from '@hengtai/contract/house/session/calls';
import type { Counts, NotificationRow } from '@hengtai/contract/desk/notify/schema';
import { create } from 'zustand';
import { send } from './client.ts';
import { type ConnectionMessage, type ConnectionMode, openConnection } from './notify-connection.ts';
import type { WorkerMessage, WorkerRequest } from './notify-worker.ts';
import { queryClient } from './query-client.ts';
import { onSessionChange, readSession } from './session.ts';
import { claimInStorage } from './sound-claim.ts';

/** Number of notifications kept in memory; the shared worker (`notify-worker.ts`) keeps as many. */
const NOTIFICATIONS_MAX = 200;

export interface NotifyState {
  mode: ConnectionMode;
  /** Pending items by kind; empty until loaded. */
  counts: Counts;
  /** Latest first. */
  notifications: readonly NotificationRow[];
  /** Id up to which all notifications are known; null until the first response. */
  last: number | null;
}

const INITIAL: NotifyState = { mode: 'connecting', counts: {}, notifications: [], last: null };
const useNotify = create<NotifyState>(() => INITIAL);

/** Pending items of the operator by kind. */
export const useCounts = (): Counts => useNotify(({ counts }) => counts);
/** Notifications of the operator's tree, latest first, at most 200. */
export const useNotifications = (): readonly NotificationRow[] => useNotify(({ notifications }) => notifications);
/** The current notifications, also those not rendered yet. */
export const currentNotifications = (): readonly NotificationRow[] => useNotify.getState().notifications;
export const useNotifyMode = (): ConnectionMode => useNotify(({ mode }) => mode);
export const useLastNotification = (): number | null => useNotify(({ last }) => last);

type Listener = (notifications: readonly NotificationRow[]) => void;
const listeners = new Set<Listener>();

/** Subscribes to new notifications, oldest first, including quiet ones. Notifications from before are not delivered. */
export function onNotifications(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

interface Channel {
  useToken(token: string): void;
  /** Claims the right to play the sound of this notification; only one window gets it. */
  claim(id: number): void;
  close(): void;
}

let channel: Channel | undefined;
let onGranted: ((id: number) => void) | undefined;

/** Starts receiving notifications; call the returned function to stop. All windows share one connection. */
export function startNotify(): () => void {
  const account = readSession()?.admin;
  const begin = () => {
    const current = readSession();
    if (!current || current.admin !== account || channel) return;
    channel = openWorkerChannel(current.token, current.admin) ?? openOwnChannel(current.token);
  };
  const end = () => {
    channel?.close();
    channel = undefined;
  };
  const unsubscribe = onSessionChange((next) => {
    if (next && next.admin === account) channel?.useToken(next.token);
    else end();
  });
  // Releases the channel while the window is in the back/forward cache.
  window.addEventListener('pagehide', end);
  window.addEventListener('pageshow', begin);
  begin();
  return () => {
    unsubscribe();
    window.removeEventListener('pagehide', end);
    window.removeEventListener('pageshow', begin);
    end();
    useNotify.setState(INITIAL);
  };
}

/** Resolves to true if this window may play the sound; false if no grant arrives within a second. */
export function claimSound(id: number): Promise<boolean> {
  return new Promise((resolve) => {
    onGranted = (grantedId) => grantedId === id && resolve(true);
    setTimeout(() => resolve(false), 1000);
    channel?.claim(id);
  });
}

/** Opens a channel through the shared worker; undefined if workers are unsupported or forbidden. */
function openWorkerChannel(token: string, account: string): Channel | undefined {
  if (typeof SharedWorker === 'undefined') return undefined;
  let isClosed = false;
  let fallback: Channel | undefined;
  let current = token;
  try {
    const worker = new SharedWorker(new URL('./notify-worker.ts', import.meta.url), { type: 'module', name: 'notify' });
    const post = (message: WorkerRequest) => worker.port.postMessage(message, []);
    worker.port.addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => {
      if (!isClosed && !fallback) handleMessage(data);
    });
    worker.port.start();
    worker.addEventListener('error', () => {
      if (!isClosed) fallback ??= openOwnChannel(current);
    });
    post({ kind: 'hello', token, account });
    return {
      useToken: (next) => {
        current = next;
        if (fallback) fallback.useToken(next);
        else post({ kind: 'token', token: next });
      },
      claim: (id) => (fallback ? fallback.claim(id) : post({ kind: 'claim', id })),
      close: () => {
        isClosed = true;
        post({ kind: 'bye' });
        fallback?.close();
      },
    };
  } catch {
    return undefined;
  }
}

/** Opens a connection for this window alone. */
function openOwnChannel(token: string): Channel {
  const connection = openConnection(token, handleMessage);
  return {
    useToken: (next) => connection.useToken(next),
    claim: (id) => void claimInStorage(id).then((mine) => mine && onGranted?.(id)),
    close: () => connection.stop(),
  };
}

function handleMessage(message: ConnectionMessage | WorkerMessage) {
  if (message.kind === 'granted') onGranted?.(message.id);
  if (message.kind === 'mode') useNotify.setState({ mode: message.mode });
  if (message.kind === 'counts') useNotify.setState({ counts: message.counts });
  if (message.kind === 'ended') void checkSession(message.token);
  if (message.kind === 'snapshot') {
    const { counts, notifications, last, missed } = message;
    useNotify.setState({ counts, notifications, last });
    if (missed) void queryClient.invalidateQueries();
  }
  if (message.kind === 'notifications') {
    const { notifications, last } = message;
    const listed = notifications.filter(({ type }) => !quietTypes.includes(type)).toReversed();
    useNotify.setState((current) => ({
      notifications: [...listed, ...current.notifications].slice(0, NOTIFICATIONS_MAX),
      last,
    }));
    for (const listener of listeners) listener(notifications);
  }
}

/**
 * The server rejected the token of the connection. If this window has a newer token it is passed on; otherwise the next
 * call ends the session.
 */
async function checkSession(token: string) {
  const current = readSession()?.token;
  if (current !== undefined && current !== token) return channel?.useToken(current);
  // The refusal clears the session in all windows.
  await send(session.me, {}).catch(() => undefined);
}
