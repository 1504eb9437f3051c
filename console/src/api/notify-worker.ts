import type { Counts, NotificationRow } from '@hengtai/contract/notify.schema';
import { type FromLine, type Line, type LineMode, openLine } from './notify-line.ts';

/** What a window says to the worker that holds the line for all windows of the browser. */
export type ToWorker =
  | { kind: 'hello'; token: string; admin: string }
  | { kind: 'token'; token: string }
  | { kind: 'claim'; id: number }
  | { kind: 'bye' };

/** What it hears: what the line says, and whether it is the one that may sound. */
export type FromWorker = FromLine | { kind: 'granted'; id: number };

const KEPT = 200;

let line: Line | undefined;
let whose = '';
let mode: LineMode = 'connecting';
/** For windows that come later. */
let known: { counts: Counts; facts: NotificationRow[]; last: number } | undefined;
/** The last notification for which a window was allowed to sound. */
let claimed = 0;
const ports = new Set<MessagePort>();

function hear(port: MessagePort, message: ToWorker) {
  if (message.kind === 'hello') join(port, message.token, message.admin);
  if (message.kind === 'token') line?.useToken(message.token);
  if (message.kind === 'claim' && message.id > claimed) {
    claimed = message.id;
    say(port, { kind: 'granted', id: message.id });
  }
  if (message.kind === 'bye') leave(port);
}

function join(port: MessagePort, token: string, admin: string) {
  // Another operator has logged in: what was told to the one before is nobody's any more.
  if (admin !== whose) forget();
  whose = admin;
  ports.add(port);
  if (line) line.useToken(token);
  else line = openLine(token, broadcast);
  say(port, { kind: 'mode', mode });
  if (known) say(port, { kind: 'snapshot', ...known, missed: false });
}

/** Nobody is left to be told. */
function leave(port: MessagePort) {
  ports.delete(port);
  if (ports.size === 0) forget();
}

function forget() {
  line?.stop();
  line = undefined;
  known = undefined;
  mode = 'connecting';
  ports.clear();
}

function broadcast(message: FromLine) {
  if (message.kind === 'mode') ({ mode } = message);
  if (message.kind === 'snapshot') known = { counts: message.counts, facts: message.facts, last: message.last };
  if (message.kind === 'counts' && known) known.counts = message.counts;
  if (message.kind === 'facts' && known) {
    known.facts = [...message.facts.toReversed(), ...known.facts].slice(0, KEPT);
    known.last = message.last;
  }
  for (const port of ports) say(port, message);
}

const say = (port: MessagePort, message: FromWorker) => port.postMessage(message, []);

addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports;
  port?.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => hear(port, data));
  port?.start();
});
