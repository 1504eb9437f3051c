import {
  HEARTBEAT_SECONDS,
  RESUME_NOTIFICATIONS,
  RESUME_MINUTES,
  STREAMS_PER_OPERATOR,
  STREAMS_PER_PROCESS,
  type StreamEvents,
} from '@hengtai/contract/notify';
import type { StreamInput } from '@hengtai/contract/notify.schema';
import { refusals } from '@hengtai/contract/refusals';
import type { App } from '../context.ts';
import { scoped } from '../db/connect.ts';
import type { StreamHandler } from '../http/handler.ts';
import type { Sink } from '../http/stream.ts';
import { refuse } from '../refuse.ts';
import {
  type Viewer,
  concernedBy,
  countWaiting,
  notificationsBetween,
  findViewer,
  firstAfter,
  lastNumber,
  pollNotifications,
} from './notify.store.ts';

/** One question to the database this often for all streams of the process, and only while there are any. */
const POLL_MS = 200;
/** An operator's streams are told of news at most this often. */
const TELL_EVERY_MS = 300;
/** Counts are looked at again this often also without news, for what nobody tells of: moved users, ended alarms. */
const RECOUNT_MS = HEARTBEAT_SECONDS * 1000;
/** So many operators are read for at a time, so that streams never take the connections that calls need. */
const READERS = 2;
const BATCH = 200;
const FAILURES_SHOWN = 5;

/** One stream. Until it is ready its own first answer is still being read. */
interface Member {
  sessionId: number;
  sink: Sink | undefined;
  /** Number of the last fact that it has been told, or that was not its business. */
  cursor: number;
  counts: string;
}

/** The streams of one operator: they see the same, so it is read once for all of them. */
interface Group {
  operatorId: number;
  members: Set<Member>;
  stale: boolean;
  reading: boolean;
  readAt: number;
}

interface Hub {
  app: App;
  groups: Map<number, Group>;
  /** Number up to which the groups were told that there is news; undefined before the first poll. */
  seen: number | undefined;
  recountedAt: number;
  reads: Set<Promise<void>>;
  running: boolean;
  loop: Promise<void>;
}

const hubs = new WeakMap<App, Hub>();

function hubOf(app: App): Hub {
  let hub = hubs.get(app);
  if (!hub) {
    hub = {
      app,
      groups: new Map(),
      seen: undefined,
      recountedAt: 0,
      reads: new Set(),
      running: false,
      loop: Promise.resolve(),
    };
    hubs.set(app, hub);
  }
  return hub;
}

/** Resolves when nothing is being asked of the database any more; streams must have ended before. */
export async function hubIsQuiet(app: App): Promise<void> {
  const hub = hubs.get(app);
  if (!hub) return;
  await hub.loop;
  await Promise.all(hub.reads);
}

/** Opens a stream: what it missed since its last id, the counts, and from then on whatever happens. */
export const joinStream: StreamHandler<StreamInput> = async ({ app, caller, open }, { last }) => {
  const hub = hubOf(app);
  const group = placeFor(hub, caller.operator.id);
  const member: Member = { sessionId: caller.sessionId ?? 0, sink: undefined, cursor: 0, counts: '' };
  group.members.add(member);
  try {
    const resumable = last !== undefined && (await isResumable(app, last));
    const first = await scoped(
      app.requests,
      caller.scope,
      caller.operator.id,
      (db) => firstAnswer({ ...caller, db }, last, resumable),
      'read',
    );
    const sink = open();
    member.cursor = first.upTo;
    if (first.facts === undefined) send(sink, 'reset', { last: first.upTo });
    for (const fact of first.facts ?? []) sink.send('fact', fact, fact.id);
    sendCounts(member, sink, first.counts);
    member.sink = sink;
    sink.onEnd(() => leave(hub, group, member));
  } catch (error) {
    leave(hub, group, member);
    throw error;
  }
  // News that came while this was read may have been told to the others already.
  if (hub.seen === undefined || hub.seen > member.cursor) group.stale = true;
  // Who went away meanwhile may have been the only one: a loop that ends at once must not count as one that goes on.
  if (!hub.running) hub.loop = run(hub);
};

function placeFor(hub: Hub, operatorId: number): Group {
  const group = hub.groups.get(operatorId);
  if (group && group.members.size >= STREAMS_PER_OPERATOR) throw refuse(refusals.tooMany);
  let total = 0;
  for (const { members } of hub.groups.values()) total += members.size;
  if (total >= STREAMS_PER_PROCESS) throw refuse(refusals.tooMany);
  if (group) return group;
  const made: Group = { operatorId, members: new Set(), stale: false, reading: false, readAt: 0 };
  hub.groups.set(operatorId, made);
  return made;
}

function leave(hub: Hub, group: Group, member: Member): void {
  group.members.delete(member);
  if (group.members.size === 0 && hub.groups.get(group.operatorId) === group) hub.groups.delete(group.operatorId);
}

/** What a stream begins with; no facts mean that it has missed too much, or comes from another database. */
async function firstAnswer(viewer: Viewer, last: number | undefined, resumable: boolean) {
  const upTo = await lastNumber(viewer.db);
  const counts = JSON.stringify(await countWaiting(viewer));
  if (last === undefined) return { upTo, counts, facts: [] };
  const facts =
    resumable && last <= upTo ? await notificationsBetween(viewer, last, upTo, RESUME_NOTIFICATIONS + 1) : undefined;
  return { upTo, counts, facts: facts && facts.length <= RESUME_NOTIFICATIONS ? facts : undefined };
}

/** Whether everything after an id is still there, and young enough to be told as news. */
async function isResumable(app: App, last: number): Promise<boolean> {
  const [upTo, first] = [await lastNumber(app.system), await firstAfter(app.system, last)];
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

/** Goes on while anybody listens. A database that is away is asked less and less often; the streams stay. */
async function run(hub: Hub): Promise<void> {
  let failures = 0;
  hub.running = true;
  while (hub.groups.size > 0) {
    try {
      await poll(hub);
      failures = 0;
    } catch (error) {
      failures += 1;
      if (failures <= FAILURES_SHOWN) hub.app.log.warn({ err: error }, 'new notifications could not be read');
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS * 2 ** Math.min(failures, 4)));
  }
  hub.running = false;
  hub.seen = undefined;
}

async function poll(hub: Hub): Promise<void> {
  const { app, groups } = hub;
  const sessions = [...groups.values()].flatMap(({ members }) => [...members].map(({ sessionId }) => sessionId));
  const { last, ended } = await pollNotifications(app.system, [...new Set(sessions)], app.clock.now());
  for (const { id, reason } of ended) endSession(hub, id, reason);
  await markStale(hub, last);
  pump(hub);
}

function endSession(hub: Hub, sessionId: number, reason: StreamEvents['session']['reason']): void {
  for (const { sink } of membersOf(hub).filter((member) => member.sessionId === sessionId)) {
    if (!sink) continue;
    send(sink, 'session', { reason });
    sink.end();
  }
}

const membersOf = (hub: Hub): Member[] => [...hub.groups.values()].flatMap(({ members }) => [...members]);

async function markStale(hub: Hub, last: number): Promise<void> {
  const { app, groups, seen } = hub;
  // The name now leads to another database: returning clients are told to start over.
  if (seen !== undefined && last < seen) for (const { sink } of membersOf(hub)) sink?.end();
  const now = app.clock.now();
  if (seen === undefined || now - hub.recountedAt >= RECOUNT_MS || now < hub.recountedAt) {
    hub.recountedAt = now;
    for (const group of groups.values()) group.stale = true;
  } else if (last > seen) {
    const concerned = await concernedBy(app.system, [...groups.keys()], seen, last);
    for (const group of groups.values()) if (concerned.has(group.operatorId)) group.stale = true;
  }
  hub.seen = last;
}

/** Reads for the operators who have news, a few at a time. */
function pump(hub: Hub): void {
  const now = performance.now();
  for (const group of hub.groups.values()) {
    if (hub.reads.size >= READERS) return;
    if (!group.stale || group.reading || now - group.readAt < TELL_EVERY_MS) continue;
    group.stale = false;
    group.reading = true;
    const read = sendToGroup(hub, group)
      .catch((error: unknown) => {
        group.stale = true;
        hub.app.log.warn({ err: error }, 'notifications could not be sent to a stream');
      })
      .finally(() => {
        group.reading = false;
        group.readAt = performance.now();
        hub.reads.delete(read);
        pump(hub);
      });
    hub.reads.add(read);
  }
}

/** Reads as the operator stands now, behind both nets, and tells each stream what it has not heard. */
async function sendToGroup({ app, seen = 0 }: Hub, group: Group): Promise<void> {
  const after = Math.min(...readyOf(group).map(({ cursor }) => cursor));
  const found = await findViewer(app.system, group.operatorId);
  if (!found || after === Infinity) return;
  const now = app.clock.now();
  const { facts, counts } = await scoped(
    app.requests,
    found.scope,
    found.operator.id,
    async (db) => {
      const viewer: Viewer = { ...found, db, now };
      return { facts: await notificationsBetween(viewer, after, seen, BATCH), counts: await countWaiting(viewer) };
    },
    'read',
  );
  const full = facts.length === BATCH;
  const upTo = full ? (facts.at(-1)?.id ?? seen) : seen;
  if (full) group.stale = true;
  for (const member of readyOf(group)) {
    // A stream that joined meanwhile may stand before what was read, or behind it.
    if (member.cursor < after) continue;
    for (const fact of facts) if (fact.id > member.cursor) member.sink.send('fact', fact, fact.id);
    member.cursor = Math.max(member.cursor, upTo);
    sendCounts(member, member.sink, JSON.stringify(counts));
  }
}

type Ready = Member & { sink: Sink };
const readyOf = ({ members }: Group): Ready[] =>
  [...members].filter((member): member is Ready => member.sink?.open === true);
