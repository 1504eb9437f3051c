import type { Counts, NotificationRow } from '@hengtai/contract/desk/notify/schema';
import { type ConnectionMessage, type Connection, type ConnectionMode, openConnection } from './notify-connection.ts';

/** Messages from a window to the shared worker that holds one connection for all windows. */
export type WorkerRequest =
  | { kind: 'hello'; token: string; account: string }
  | { kind: 'token'; token: string }
  | { kind: 'claim'; id: number }
  | { kind: 'bye' };

/** Messages to a window: those of the connection, and the grant to play a sound. */
export type WorkerMessage = ConnectionMessage | { kind: 'granted'; id: number };

/** As many as each window keeps (`notify.ts`), so that a window that joins later has the same. */
const NOTIFICATIONS_MAX = 200;

let connection: Connection | undefined;
let owner = '';
let mode: ConnectionMode = 'connecting';
/** Sent to windows that join later. */
let snapshot: { counts: Counts; notifications: NotificationRow[]; last: number } | undefined;
/** Id of the last notification for which a window may play the sound. */
let lastClaimedId = 0;
const ports = new Set<MessagePort>();

function handleRequest(port: MessagePort, message: WorkerRequest) {
  if (message.kind === 'hello') join(port, message.token, message.account);
  if (message.kind === 'token') connection?.useToken(message.token);
  if (message.kind === 'claim' && message.id > lastClaimedId) {
    lastClaimedId = message.id;
    post(port, { kind: 'granted', id: message.id });
  }
  if (message.kind === 'bye') leave(port);
}

function join(port: MessagePort, token: string, account: string) {
  // Another operator logged in: the previous operator's data must not reach its windows.
  if (account !== owner) reset();
  owner = account;
  ports.add(port);
  if (connection) connection.useToken(token);
  else connection = openConnection(token, broadcast);
  post(port, { kind: 'mode', mode });
  if (snapshot) post(port, { kind: 'snapshot', ...snapshot, missed: false });
}

/** Closes the connection when the last window leaves. */
function leave(port: MessagePort) {
  ports.delete(port);
  if (ports.size === 0) reset();
}

function reset() {
  connection?.stop();
  connection = undefined;
  snapshot = undefined;
  mode = 'connecting';
  ports.clear();
}

function broadcast(message: ConnectionMessage) {
  if (message.kind === 'mode') ({ mode } = message);
  if (message.kind === 'snapshot')
    snapshot = { counts: message.counts, notifications: message.notifications, last: message.last };
  if (message.kind === 'counts' && snapshot) snapshot.counts = message.counts;
  if (message.kind === 'notifications' && snapshot) {
    snapshot.notifications = [...message.notifications.toReversed(), ...snapshot.notifications].slice(
      0,
      NOTIFICATIONS_MAX,
    );
    snapshot.last = message.last;
  }
  for (const port of ports) post(port, message);
}

const post = (port: MessagePort, message: WorkerMessage) => port.postMessage(message, []);

addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports;
  port?.addEventListener('message', ({ data }: MessageEvent<WorkerRequest>) => handleRequest(port, data));
  port?.start();
});
