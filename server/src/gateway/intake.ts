import { EVENT_REASONS, EVENT_TYPES } from '@hengtai/contract/gateway/gateway';
import type { EventAnswer } from '@hengtai/contract/gateway/schema';
import type { App } from '../app/context.ts';
import { inSpan } from '../host/trace.ts';
import { type Db, withRetries } from '../database/connect.ts';
import { withRollback } from '../database/rollback.ts';
import { FlushFailed } from '../books/ledger/ledger-batch.ts';
import { isKeyChanged, requireKey } from './gateway-key.store.ts';
import { fetchImportProgress, recordProgress } from './import-progress.store.ts';
import { EventBatch } from './event-batch.ts';
import { type EventTransactions, GROUP_MAX, type Mode, committedIn, nestedIn } from './event-transactions.ts';
import { answerKnown, applyEvent, applyInBatch, fallbackReason, toAnswer } from './events.ts';
import type { AnyEvent, PlatformHandlers } from './handlers.ts';
import { digestOf, findKnownEvents, takeEvents } from './inbox.store.ts';
import { DEFAULT_PLATFORM, DEFAULT_SCOPE, type PlatformScope } from './platform-scope.ts';
import { prefetchRecords } from './prefetch.ts';
import { Rejected, Undone } from './rejected.ts';

/** The answers of a group, or the index of the event that could not be applied; then nothing of the group was. */
type GroupResult = { answers: EventAnswer[] } | { failedAt: number };

/** Applies the events of the platform. A server has one. */
export class EventIntake {
  readonly #app: App;
  readonly #platform: PlatformHandlers;
  /** Going live is final, so it is no longer read then. */
  #isLive = false;
  /** Groups take turns, because two groups with many accounts would only wait for each other. */
  #lastGroup: Promise<unknown> = Promise.resolve();

  constructor(app: App, platform: PlatformHandlers) {
    this.#app = app;
    this.#platform = platform;
    // Prometheus sees the first rejection only if the counter existed before.
    for (const type of [...EVENT_TYPES, 'unknown'])
      app.state.metrics.gatewayEvents.inc({ type, outcome: 'rejected' }, 0);
  }

  /**
   * Applies events in order, each as if it were alone: a rejected one changes nothing and does not stop the next. Groups of
   * events share a transaction. A group that fails starts again in parts: the events before the failed one, that one alone,
   * and then groups of growing size.
   */
  async apply(events: readonly AnyEvent[], scope: PlatformScope = DEFAULT_SCOPE): Promise<EventAnswer[]> {
    const answers = await inSpan('gateway events', { 'hengtai.events': events.length }, () =>
      this.#applyAndRecord(events, scope),
    );
    const { gatewayEvents } = this.#app.state.metrics;
    for (const [index, answer] of answers.entries()) {
      const event = events[index];
      gatewayEvents.inc({ type: typeLabel(event), outcome: answer.result });
      if (answer.reason === EVENT_REASONS.conflict) await this.#platform.reportConflict(this.#app, answer.eventId);
    }
    return answers.map((answer, index) => withPlace(hideOthers(answer, scope), index));
  }

  /**
   * Answers events as `apply` would, each as if those before it were applied, and changes nothing. Its one transaction takes a
   * turn with the groups, because it may lock the rows of a whole call. The key is checked before, because its transaction is
   * too long to make a revocation wait.
   */
  async dryRun(events: readonly AnyEvent[], caller: PlatformScope = DEFAULT_SCOPE): Promise<EventAnswer[]> {
    await requireKey(this.#app.system, caller);
    const { key: _key, ...scope } = caller;
    const mode = await this.#fetchMode();
    const answers = await this.#takeTurn(() =>
      withRetries(() => withRollback(this.#app.system, (db) => this.#applyAll(events, mode, nestedIn(db, scope)))),
    );
    return answers.map((answer, index) => withPlace(hideOthers(answer, scope), index));
  }

  async #applyAndRecord(events: readonly AnyEvent[], scope: PlatformScope): Promise<EventAnswer[]> {
    const mode = await this.#fetchMode();
    const answers = await this.#applyAll(events, mode, committedIn(this.#app.system, mode, scope));
    if (mode === 'history') await this.#recordImport(events, answers);
    return answers;
  }

  async #fetchMode(): Promise<Mode> {
    return this.#isLive || (await fetchImportProgress(this.#app.system)).live === 1 ? 'live' : 'history';
  }

  async #applyAll(events: readonly AnyEvent[], mode: Mode, transactions: EventTransactions): Promise<EventAnswer[]> {
    const answers: EventAnswer[] = [];
    /** The size of the next groups after a failure. */
    let size: number | undefined;
    let alone = -1;
    while (answers.length < events.length) {
      const start = answers.length;
      const group = start === alone ? events.slice(start, start + 1) : cutGroup(events.slice(start), size, mode);
      const result = await this.#applyGroup(group, mode, transactions);
      if ('failedAt' in result) [size, alone] = [Math.max(result.failedAt, 1), start + result.failedAt];
      else {
        answers.push(...result.answers);
        if (size !== undefined && start !== alone) size = 2 * size < GROUP_MAX[mode] ? 2 * size : undefined;
      }
    }
    return answers;
  }

  /** A single event may wait for a row, so it takes no turn and delays no group. A dry run has its turn already. */
  async #applyGroup(events: readonly AnyEvent[], mode: Mode, transactions: EventTransactions): Promise<GroupResult> {
    const apply = (): Promise<GroupResult> => this.#applyTogether(events, transactions, true);
    if (transactions.isDryRun || (mode === 'live' && events.length === 1)) return apply();
    return this.#takeTurn(apply);
  }

  #takeTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#lastGroup.then(work, work);
    this.#lastGroup = turn;
    return turn;
  }

  /** @param isDeferred false: each event writes at once, which shows the event that cannot be written */
  async #applyTogether(
    events: readonly AnyEvent[],
    transactions: EventTransactions,
    isDeferred: boolean,
  ): Promise<GroupResult> {
    if (events.length === 1) return { answers: await this.#applyEach(events, transactions) };
    const answers: EventAnswer[] = [];
    try {
      await transactions.group((db) =>
        this.#applyIn(db, new EventBatch(db, this.#app.clock.now(), isDeferred, transactions.scope), events, answers),
      );
      return { answers };
    } catch (error) {
      const isFlush = error instanceof FlushFailed;
      const cause = isFlush ? error.cause : error;
      this.#reportFallback(cause, events, isFlush ? undefined : events[answers.length], transactions.isDryRun);
      if (isFlush) return this.#applyTogether(events, transactions, false);
      if (answers.length < events.length) return { failedAt: answers.length };
      return { answers: await this.#applyEach(events, transactions) };
    }
  }

  /** Applies a group in the transaction of `db`, to which the batch writes, and adds the answers one by one. */
  async #applyIn(db: Db, batch: EventBatch, events: readonly AnyEvent[], answers: EventAnswer[]): Promise<void> {
    const { scope } = batch;
    const ids = events.map(({ eventId }) => eventId);
    const known = await findKnownEvents(db, scope, ids);
    const fresh = events.filter(({ eventId }) => !known.has(eventId));
    await prefetchRecords(batch, fresh, this.#platform.prefetches);
    const applied: AnyEvent[] = [];
    for (const [index, event] of events.entries()) {
      batch.startEvent(events.filter(({ type }, other) => other >= index && type === event.type).length);
      const digest = known.get(event.eventId);
      const answer = digest === undefined ? await this.#applyOrReject(batch, event) : answerKnown(event, digest);
      if (answer.result === 'applied') {
        applied.push(event);
        known.set(event.eventId, digestOf(event));
      }
      answers.push(answer);
    }
    await batch.flush();
    const written = applied.length === 0 ? 0 : await takeEvents(db, scope, applied, this.#app.clock.now());
    if (written < applied.length) throw new Undone('applied meanwhile');
  }

  async #applyEach(events: readonly AnyEvent[], transactions: EventTransactions): Promise<EventAnswer[]> {
    const answers = [];
    for (const event of events) {
      const answer = await applyEvent(this.#app, this.#platform.events, event, transactions);
      const { result, reason = '' } = answer;
      const keep = this.#platform.keepRejected.get(event.type);
      const rejection = { reason, scope: transactions.scope, now: this.#app.clock.now() };
      if (keep && result === 'rejected') await transactions.single((db) => keep(db, event, rejection));
      answers.push(answer);
    }
    return answers;
  }

  /**
   * An event that is rejected before it changes anything leaves nothing to undo, so its group goes on, unless the rejection
   * itself is kept.
   */
  async #applyOrReject(batch: EventBatch, event: AnyEvent): Promise<EventAnswer> {
    const before = batch.changes;
    try {
      await applyInBatch(batch, this.#platform.events, event, this.#app.clock.now());
      return { eventId: event.eventId, result: 'applied' };
    } catch (error) {
      const isKept = this.#platform.keepRejected.has(event.type);
      if (!(error instanceof Rejected) || batch.changes !== before || isKept) throw error;
      return toAnswer(event, error);
    }
  }

  /** @throws the error if no event explains it: it would fail again in smaller parts */
  #reportFallback(error: unknown, events: readonly AnyEvent[], failed: AnyEvent | undefined, isDryRun: boolean): void {
    if (isKeyChanged(error)) throw error;
    const reason = fallbackReason(error);
    const group = { events: events.length, first: events[0]?.eventId };
    if (reason === undefined) {
      this.#app.log.error({ err: error, ...group }, 'a group of events failed');
      throw error;
    }
    if (isDryRun) return;
    const type = failed?.type ?? 'group';
    this.#app.state.metrics.gatewayFallbacks.inc({ type: typeLabel(failed), reason });
    this.#app.log.info({ type, reason, eventId: failed?.eventId, ...group }, 'a group of events starts again');
  }

  /** The progress counts events with their own time only: master data often comes first, whatever its age. */
  async #recordImport(events: readonly AnyEvent[], answers: readonly EventAnswer[]): Promise<void> {
    const accepted = events.filter((_, index) => answers[index]?.result !== 'rejected');
    const times = accepted.filter(({ type }) => !type.endsWith('.registered')).map(({ at }) => at);
    const isImporting = await recordProgress(this.#app.system, {
      from: times.length === 0 ? null : Math.min(...times),
      reached: times.length === 0 ? null : Math.max(...times),
      events: answers.filter(({ result }) => result === 'applied').length,
      now: this.#app.clock.now(),
    });
    this.#isLive = !isImporting;
  }
}

/** Fields whose record may be another platform's. */
const SCOPED = new Set(
  ['account', 'toAccount', 'market', 'no', 'position', 'wallet'].map((field) => `${EVENT_REASONS.unknown}: ${field}`),
);

/** An added platform is not told whether a record does not exist or is another platform's. */
const hideOthers = (answer: EventAnswer, { id }: PlatformScope): EventAnswer =>
  id !== DEFAULT_PLATFORM && answer.reason !== undefined && SCOPED.has(answer.reason)
    ? { ...answer, reason: answer.reason.replace(EVENT_REASONS.unknown, EVENT_REASONS.scope) }
    : answer;

/** The place of what is wrong begins with the index of the event in the call. */
const withPlace = (answer: EventAnswer, index: number): EventAnswer =>
  answer.detail === undefined ? answer : { ...answer, detail: `/${index}${answer.detail}` };

const knownTypes: ReadonlySet<string> = new Set(EVENT_TYPES);

/** The type as a label of metrics: a platform may send any text as a type. */
function typeLabel(event: AnyEvent | undefined): string {
  if (!event) return 'group';
  return knownTypes.has(event.type) ? event.type : 'unknown';
}

/** The next group: `size` events, or as many as a transaction may have. */
function cutGroup(events: readonly AnyEvent[], size: number | undefined, mode: Mode): readonly AnyEvent[] {
  if (size !== undefined) return events.slice(0, size);
  let left: number = GROUP_MAX[mode];
  const end = events.findIndex(({ type }) => type !== 'tick' && (left -= 1) < 0);
  return end < 0 ? events : events.slice(0, end);
}
