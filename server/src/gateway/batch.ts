import type { EventType } from '@hengtai/contract/gateway';
import type { EventData, EventAnswer } from '@hengtai/contract/gateway.schema';
import type { App } from '../context.ts';
import { inTransaction, sqlState, waitAtMost } from '../db/connect.ts';
import { fetchImportProgress, recordProgress } from '../installation/installation.store.ts';
import { takeTicks } from '../market/market.events.ts';
import { EventBatch } from './event-batch.ts';
import { prefetchRecords } from './prefetch.ts';
import { type AnyEvent, applyEvent, applyTaken, faultOf, isRejection } from './events.ts';
import { findKnownEvents, takeEvents } from './inbox.store.ts';

/** So many events share a transaction: what an operator may have to wait for is a moment, and a shorter one every day. */
const TOGETHER = { history: 100, live: 25 } as const;
/**
 * Milliseconds that an event in a group waits for somebody else's row. A group holds the rows of many events in no order
 * that others keep, so it gives way long before PostgreSQL looks for a circle, and nobody else is made its victim.
 */
const GIVES_WAY_AFTER_MS = 50;

/** What is known of processes' installations: going live is for ever, so it is asked for no more. */
const live = new WeakSet<App>();
/** One group at a time: two groups that hold many accounts would only wait for each other. */
const turns = new WeakMap<App, Promise<unknown>>();

/**
 * Applies events in their order, each as if it were alone: a rejected one changes nothing and does not stop the next.
 * Where nobody can tell the difference they share a transaction.
 */
export async function applyEvents(app: App, events: readonly AnyEvent[]): Promise<EventAnswer[]> {
  const moving = !live.has(app) && (await fetchImportProgress(app.system)).live === 0;
  const answers: EventAnswer[] = [];
  const when = moving ? 'history' : 'live';
  for (const stretch of stretchesOf(events)) {
    answers.push(...((await applyTicksFirst(app, stretch, when)) ?? (await applyRuns(app, stretch, when))));
  }
  if (moving) await noteHistory(app, events, answers);
  return answers;
}

/** What reads no price of ours and no tick: all it goes by it says itself. Of others it hears only where a market is halted. */
const PRICELESS: ReadonlySet<string> = new Set<EventType>([
  'user.login',
  'recharge.detected',
  'recharge.credited',
  'recharge.failed',
  'recharge.reversed',
  'transfer.made',
  'order.placed',
  'order.filled',
  'order.cancelled',
  'position.placed',
  'position.opened',
  'position.changed',
  'position.closed',
  'position.liquidated',
  'position.cancelled',
  'funding.paid',
]);

const isTick = ({ type }: AnyEvent): boolean => type === 'tick';

/** Cut where ticks, with all that reads none of them, and what may read a price meet. */
function stretchesOf(events: readonly AnyEvent[]): AnyEvent[][] {
  const stretches: AnyEvent[][] = [];
  for (const part of cut(events, (event) => isTick(event) || PRICELESS.has(event.type))) {
    const before = stretches.at(-1);
    // Without ticks there is nothing to keep apart.
    if (before && !before.some(isTick) && !part.some(isTick)) before.push(...part);
    else stretches.push(part);
  }
  return stretches;
}

/** Cut where ticks and other events meet. */
const runsOf = (events: readonly AnyEvent[]): AnyEvent[][] => cut(events, isTick);

/** Into stretches of neighbours about which the same is to be said. */
function cut(events: readonly AnyEvent[], said: (event: AnyEvent) => boolean): AnyEvent[][] {
  const parts: AnyEvent[][] = [];
  for (const event of events) {
    const part = parts.at(-1);
    if (part?.[0] && said(part[0]) === said(event)) part.push(event);
    else parts.push([event]);
  }
  return parts;
}

type When = keyof typeof TOGETHER;

async function applyRuns(app: App, events: readonly AnyEvent[], when: When): Promise<EventAnswer[]> {
  const answers: EventAnswer[] = [];
  for (const run of runsOf(events)) {
    answers.push(...(await (run.every(isTick) ? applyTicks(app, run) : applyGroups(app, run, when))));
  }
  return answers;
}

/**
 * Ticks among events that read none of them: all ticks first and in one go, so that they do not cut the others into groups
 * of a few. Nobody can tell, unless one of them halts a market.
 *
 * @returns undefined, with nothing done, where it has to be told in its order
 */
async function applyTicksFirst(app: App, events: readonly AnyEvent[], when: When): Promise<EventAnswer[] | undefined> {
  const ticks = events.filter(isTick);
  const others = events.filter((event) => !isTick(event));
  const distinct = new Set(events.map(({ eventId }) => eventId)).size === events.length;
  if (ticks.length === 0 || others.length === 0 || !distinct) return undefined;
  const told = await takeTogether(app, ticks, false);
  if (!told) return undefined;
  const rest = await applyGroups(app, others, when);
  // Each in its place again.
  return events.flatMap((event) => (isTick(event) ? told : rest).splice(0, 1));
}

/** Undoes a group on purpose: its events are applied in another way. */
class Undone extends Error {}

/** Lost to another transaction: serialization failure, deadlock, and a row that somebody else holds. */
const LOST_RACES = new Set(['40001', '40P01', '55P03']);

/**
 * After an error that says something about an event or about a race a group is tried in smaller parts. Anything else would
 * fail there as well, and is nothing to be silent about.
 *
 * @throws the error where it is none of those
 */
function demandExpected(app: App, error: unknown, events: readonly AnyEvent[]): void {
  if (error instanceof Undone || isRejection(error) || LOST_RACES.has(sqlState(error))) return;
  app.log.error({ err: error, events: events.length, first: events[0]?.eventId }, 'a group of events failed');
  throw error;
}

async function applyEach(app: App, events: readonly AnyEvent[]): Promise<EventAnswer[]> {
  const answers = [];
  for (const event of events) answers.push(await applyEvent(app, event));
  return answers;
}

/** All of them in one transaction; what does not fit in there, for whatever reason, is looked at one by one. */
async function applyTicks(app: App, events: readonly AnyEvent[]): Promise<EventAnswer[]> {
  if (events.length === 1 || new Set(events.map(({ eventId }) => eventId)).size < events.length) {
    return applyEach(app, events);
  }
  return (await takeTogether(app, events, true)) ?? applyEach(app, events);
}

/**
 * Ticks in one transaction.
 *
 * @param mayHalt false: one that halts a market undoes all of them
 * @returns undefined where they were undone, for whatever reason
 */
async function takeTogether(
  app: App,
  events: readonly AnyEvent[],
  mayHalt: boolean,
): Promise<EventAnswer[] | undefined> {
  try {
    return await inTransaction(app.system, async (db) => {
      const now = app.clock.now();
      const known = await findKnownEvents(
        db,
        events.map(({ eventId }) => eventId),
      );
      const fresh = events.filter((event) => !known.has(event.eventId) && !faultOf(event, now));
      const ticks = fresh.map(({ data }) => data as EventData['tick']);
      const { faults, halted } = await takeTicks({ db, now }, ticks);
      if (halted && !mayHalt) throw new Undone('a market was halted');
      const taken = fresh.filter((_, index) => !faults[index]);
      const ids = taken.length === 0 ? new Set<string>() : await takeEvents(db, taken, now);
      // Somebody else has just told the same; then the whole is undone and asked again.
      if (ids.size < taken.length) throw new Undone('taken meanwhile');
      return events.map((event): EventAnswer => {
        const { eventId } = event;
        if (known.has(eventId)) return { eventId, result: 'duplicate' };
        const fault = faultOf(event, now) ?? faults[fresh.indexOf(event)];
        return fault ? { eventId, result: 'rejected', reason: fault.message } : { eventId, result: 'applied' };
      });
    });
  } catch (error) {
    demandExpected(app, error, events);
    return undefined;
  }
}

/**
 * Group by group. When an event cannot be applied its group is undone: those before it are applied once more, it comes
 * alone, and groups become as long as that went well, and longer again while it does. So what is applied twice is never
 * much more than what went in.
 */
async function applyGroups(app: App, events: readonly AnyEvent[], when: When): Promise<EventAnswer[]> {
  const answers: EventAnswer[] = [];
  let size: number = TOGETHER[when];
  let alone = -1;
  while (answers.length < events.length) {
    const at = answers.length;
    const group = events.slice(at, at === alone ? at + 1 : at + size);
    const apply = () => applyTogether(app, group, when);
    // One that comes alone may have to wait for a row, and nobody else has to wait with it.
    const { done, broke } = await (when === 'live' && group.length === 1 ? apply() : inTurn(app, apply));
    answers.push(...done);
    if (broke !== undefined) [size, alone] = [Math.max(broke, 1), at + broke];
    else if (group.length === size) size = Math.min(2 * size, TOGETHER[when]);
  }
  return answers;
}

/**
 * @param gather whether what they post is written together at the end; what is refused then is not known by its event, so
 *   they are done once more, each posting for itself
 * @returns the answers of all of them; or of none, and at which of them the group broke
 */
async function applyTogether(
  app: App,
  events: readonly AnyEvent[],
  when: When,
  gather = true,
): Promise<{ done: EventAnswer[]; broke?: number }> {
  if (events.length === 1) return { done: await applyEach(app, events) };
  const done: EventAnswer[] = [];
  try {
    await inTransaction(app.system, async (db) => {
      if (when === 'live') await waitAtMost(db, GIVES_WAY_AFTER_MS);
      const batch = new EventBatch(db, app.clock.now(), gather);
      const fresh = await takeEvents(db, events, app.clock.now());
      await prefetchRecords(
        batch,
        events.filter(({ eventId }) => fresh.has(eventId)),
      );
      for (const [index, event] of events.entries()) {
        batch.startEvent(events.filter(({ type }, other) => other >= index && type === event.type).length);
        done.push(await applyTaken(batch, event, fresh.delete(event.eventId), app.clock.now()));
      }
      await batch.flush();
    });
    return { done };
  } catch (error) {
    demandExpected(app, error, events);
    if (done.length === events.length && gather) return applyTogether(app, events, when, false);
    // Where not one of them but the transaction itself failed, each is looked at by itself.
    if (done.length === events.length) return { done: await applyEach(app, events) };
    return { done: [], broke: done.length };
  }
}

async function inTurn<T>(app: App, work: () => Promise<T>): Promise<T> {
  const before = turns.get(app) ?? Promise.resolve();
  const mine = before.then(work, work);
  turns.set(app, mine);
  return mine;
}

/** Master data often comes first, whatever its age; how far the history has come is read off the rest. */
async function noteHistory(app: App, events: readonly AnyEvent[], answers: readonly EventAnswer[]): Promise<void> {
  const taken = events.filter((_, index) => answers[index]?.result !== 'rejected');
  const times = taken.filter(({ type }) => !type.endsWith('.registered')).map(({ at }) => at);
  const moving = await recordProgress(app.system, {
    from: times.length === 0 ? null : Math.min(...times),
    reached: times.length === 0 ? null : Math.max(...times),
    events: answers.filter(({ result }) => result === 'applied').length,
    now: app.clock.now(),
  });
  if (!moving) live.add(app);
}
