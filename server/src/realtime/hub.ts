import {
  HEARTBEAT_SECONDS,
  RESUME_NOTIFICATIONS,
  RESUME_MINUTES,
  STREAMS_PER_OPERATOR,
  STREAMS_PER_PROCESS,
  type StreamEvents,
} from '@hengtai/contract/desk/notify/calls';
import type { StreamInput } from '@hengtai/contract/desk/notify/schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import type { App, Caller } from '../app/context.ts';
import { runInScope } from '../database/connect.ts';
import type { StreamHandler } from '../http/handler.ts';
import type { Sink } from '../http/stream.ts';
import { refuse } from '../app/refuse.ts';
import {
  findConcernedOperators,
  fetchNotifications,
  findViewer,
  findFirstAfter,
  findLastNumber,
  pollNotifications,
} from './notify.store.ts';
import { type Viewer, countWaiting } from './waiting.store.ts';

/** One query this often serves all streams of the process; without streams there is none. */
const POLL_MS = 200;
/** Minimum time between two reads for the streams of one operator. */
const SEND_EVERY_MS = 300;
/** Counts are read again this often, because some changes create no notification: moved users, closed alarms. */
const RECOUNT_MS = HEARTBEAT_SECONDS * 1000;
/** Operators that are read concurrently; the limit leaves database connections to the calls. */
const CONCURRENT_READS = 2;
const BATCH = 200;
const FAILURES_LOGGED = 5;

/** One stream. Its sink is undefined while its first messages are being read. */
interface Member {
  sessionId: number;
  sink: Sink | undefined;
  /** All notifications up to this number were sent to it or are not visible to it. */
  cursor: number;
  /** The counts that were sent last, as JSON. */
  counts: string;
}

/** The streams of one operator and limit. One read serves all of them, because they have the same scope. */
interface Group {
  key: string;
  operatorId: number;
  /** What the identity provider allows the sessions; null: no limit. */
  allowed: readonly number[] | null;
  members: Set<Member>;
  isStale: boolean;
  isReading: boolean;
  readAt: number;
}

interface Hub {
  app: App;
  groups: Map<string, Group>;
  /** Groups that notifications up to this number concern were marked as stale; undefined before the first poll. */
  lastSeen: number | undefined;
  recountedAt: number;
  reads: Set<Promise<void>>;
  isRunning: boolean;
  loop: Promise<void>;
}

const hubs = new WeakMap<App, Hub>();

function hubOf(app: App): Hub {
  let hub = hubs.get(app);
  if (!hub) {
    hub = {
      app,
      groups: new Map(),
      lastSeen: undefined,
      recountedAt: 0,
      reads: new Set(),
      isRunning: false,
      loop: Promise.resolve(),
    };
    hubs.set(app, hub);
  }
  return hub;
}

/** Resolves when no query of the hub is running. The streams must have ended before. */
export async function waitForIdleHub(app: App): Promise<void> {
  const hub = hubs.get(app);
  if (!hub) return;
  await hub.loop;
  await Promise.all(hub.reads);
}

/**
 * Opens a stream: notifications since `last`, the counts, then every further change.
 *
 * @throws Refused 429 for too many streams of the operator or the process
 */
export const joinStream: StreamHandler<StreamInput> = async ({ app, caller, open }, { last }) => {
  const hub = hubOf(app);
  const group = addToGroup(hub, caller);
  const member: Member = { sessionId: caller.sessionId ?? 0, sink: undefined, cursor: 0, counts: '' };
  group.members.add(member);
  try {
    const canResume = last !== undefined && (await isResumable(app, last));
    const first = await runInScope(
      app.requests,
      caller.scope,
      caller.operator.id,
      (db) => fetchFirstMessages({ ...caller, db }, last, canResume),
      'read',
    );
    const sink = open();
    member.cursor = first.upTo;
    if (first.notifications === undefined) send(sink, 'reset', { last: first.upTo });
    for (const notification of first.notifications ?? []) sink.send('fact', notification, notification.id);
    sendCounts(member, sink, first.counts);
    member.sink = sink;
    sink.onEnd(() => leave(hub, group, member));
  } catch (error) {
    leave(hub, group, member);
    throw error;
  }
  // The hub may have passed the cursor while the first messages were read.
  if (hub.lastSeen === undefined || hub.lastSeen > member.cursor) group.isStale = true;
  // `isRunning` and not the loop's promise decides: the loop may have ended because the only other stream has gone.
  if (!hub.isRunning) hub.loop = run(hub);
};

function addToGroup(hub: Hub, { operator, allowedAbilities: allowed = null }: Caller): Group {
  const operatorId = operator.id;
  const key = allowed === null ? String(operatorId) : `${operatorId} ${allowed.join(' ')}`;
  const [group, groups] = [hub.groups.get(key), [...hub.groups.values()]];
  const own = groups.filter((one) => one.operatorId === operatorId);
  if (countMembers(own) >= STREAMS_PER_OPERATOR || countMembers(groups) >= STREAMS_PER_PROCESS)
    throw refuse(refusals.tooMany);
  if (group) return group;
  const state = { members: new Set<Member>(), isStale: false, isReading: false, readAt: 0 };
  const newGroup: Group = { key, operatorId, allowed, ...state };
  hub.groups.set(key, newGroup);
  return newGroup;
}

const countMembers = (groups: readonly Group[]): number =>
  groups.reduce((total, { members }) => total + members.size, 0);

function leave(hub: Hub, group: Group, member: Member): void {
  group.members.delete(member);
  if (group.members.size === 0 && hub.groups.get(group.key) === group) hub.groups.delete(group.key);
}

/** `notifications` is undefined if the client must start over: it missed too many, or its id is of another database. */
async function fetchFirstMessages(viewer: Viewer, last: number | undefined, canResume: boolean) {
  const upTo = await findLastNumber(viewer.db);
  const counts = JSON.stringify(await countWaiting(viewer));
  if (last === undefined) return { upTo, counts, notifications: [] };
  const missed =
    canResume && last <= upTo ? await fetchNotifications(viewer, last, upTo, RESUME_NOTIFICATIONS + 1) : undefined;
  return { upTo, counts, notifications: missed && missed.length <= RESUME_NOTIFICATIONS ? missed : undefined };
}

/** Whether all notifications after an id are still stored and recent enough to be sent. */
async function isResumable(app: App, last: number): Promise<boolean> {
  const [upTo, first] = [await findLastNumber(app.system), await findFirstAfter(app.system, last)];
  if (!first) return last === upTo;
  return first.seq === last + 1 && first.recordedAt >= app.clock.now() - RESUME_MINUTES * 60_000;
}

const send = <E extends keyof StreamEvents>(sink: Sink, event: E, data: StreamEvents[E]): void =>
  sink.send(event, data);

function sendCounts(member: Member, sink: Sink, counts: string): void {
  if (member.counts === counts) return;
  member.counts = counts;
  send(sink, 'counts', JSON.parse(counts) as StreamEvents['counts']);
}

/** Polls while there are streams. If the database is unreachable, the interval doubles and the streams stay open. */
async function run(hub: Hub): Promise<void> {
  let failures = 0;
  hub.isRunning = true;
  while (hub.groups.size > 0) {
    try {
      await poll(hub);
      failures = 0;
    } catch (error) {
      failures += 1;
      if (failures <= FAILURES_LOGGED) hub.app.log.warn({ err: error }, 'new notifications could not be read');
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS * 2 ** Math.min(failures, 4)));
  }
  hub.isRunning = false;
  hub.lastSeen = undefined;
}

async function poll(hub: Hub): Promise<void> {
  const { app, groups } = hub;
  const sessions = [...groups.values()].flatMap(({ members }) => [...members].map(({ sessionId }) => sessionId));
  const { last, ended } = await pollNotifications(app.system, [...new Set(sessions)], app.clock.now());
  for (const { id, reason } of ended) endSession(hub, id, reason);
  await markStale(hub, last);
  startReads(hub);
}

function endSession(hub: Hub, sessionId: number, reason: StreamEvents['session']['reason']): void {
  for (const { sink } of membersOf(hub).filter((member) => member.sessionId === sessionId)) {
    if (!sink) continue;
    send(sink, 'session', { reason });
    sink.end();
  }
}

const membersOf = (hub: Hub): Member[] => [...hub.groups.values()].flatMap(({ members }) => [...members]);

const operatorsOf = (groups: Hub['groups']): number[] => [
  ...new Set([...groups.values()].map(({ operatorId }) => operatorId)),
];

async function markStale(hub: Hub, last: number): Promise<void> {
  const { app, groups, lastSeen } = hub;
  // A lower number means another database (such as a restored backup). Clients reconnect and start over.
  if (lastSeen !== undefined && last < lastSeen) for (const { sink } of membersOf(hub)) sink?.end();
  const now = app.clock.now();
  if (lastSeen === undefined || now - hub.recountedAt >= RECOUNT_MS || now < hub.recountedAt) {
    hub.recountedAt = now;
    for (const group of groups.values()) group.isStale = true;
  } else if (last > lastSeen) {
    const concerned = await findConcernedOperators(app.system, operatorsOf(groups), lastSeen, last);
    for (const group of groups.values()) if (concerned.has(group.operatorId)) group.isStale = true;
  }
  hub.lastSeen = last;
}

/** Starts reads for stale groups, up to the limit of concurrent reads. */
function startReads(hub: Hub): void {
  const now = performance.now();
  for (const group of hub.groups.values()) {
    if (hub.reads.size >= CONCURRENT_READS) return;
    if (!group.isStale || group.isReading || now - group.readAt < SEND_EVERY_MS) continue;
    group.isStale = false;
    group.isReading = true;
    const read = sendToGroup(hub, group)
      .catch((error: unknown) => {
        group.isStale = true;
        hub.app.log.warn({ err: error }, 'notifications could not be sent to a stream');
      })
      .finally(() => {
        group.isReading = false;
        group.readAt = performance.now();
        hub.reads.delete(read);
        startReads(hub);
      });
    hub.reads.add(read);
  }
}

/** Reads with the operator's current scope and abilities, and sends each stream what is after its cursor. */
async function sendToGroup({ app, lastSeen = 0 }: Hub, group: Group): Promise<void> {
  const after = Math.min(...openMembers(group).map(({ cursor }) => cursor));
  const found = await findViewer(app.system, group.operatorId, group.allowed);
  if (!found || after === Infinity) return;
  const now = app.clock.now();
  const { notifications, counts } = await runInScope(
    app.requests,
    found.scope,
    found.operator.id,
    async (db) => {
      const viewer: Viewer = { ...found, db, now };
      return {
        notifications: await fetchNotifications(viewer, after, lastSeen, BATCH),
        counts: await countWaiting(viewer),
      };
    },
    'read',
  );
  const hasMore = notifications.length === BATCH;
  const upTo = hasMore ? (notifications.at(-1)?.id ?? lastSeen) : lastSeen;
  if (hasMore) group.isStale = true;
  for (const member of openMembers(group)) {
    // A stream that joined during the read may have an earlier or a later cursor.
    if (member.cursor < after) continue;
    for (const notification of notifications) {
      if (notification.id > member.cursor) member.sink.send('fact', notification, notification.id);
    }
    member.cursor = Math.max(member.cursor, upTo);
    sendCounts(member, member.sink, JSON.stringify(counts));
  }
}

type OpenMember = Member & { sink: Sink };
const openMembers = ({ members }: Group): OpenMember[] =>
  [...members].filter((member): member is OpenMember => member.sink?.open === true);
