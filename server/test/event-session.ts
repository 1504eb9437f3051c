import type { EventAnswer } from '@hengtai/contract/gateway/schema';
import { sql } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { checkBook } from '../src/books/ledger/check.ts';
import type { World } from './crash-world.ts';
import { initialFunds, kinds } from './event-kinds.ts';
import { EventModel } from './event-model.ts';
import type { ModelEvent } from './event-model-state.ts';
import { ledgerEntryRules } from './event-model-funds.ts';
import { positionRules } from './event-model-positions.ts';
import { settleContracts, spotRules } from './event-model-trades.ts';
import { type Operation, nextOperation } from './event-operations.ts';
import { EventSource, type JudgedEvent, randomFrom } from './event-source.ts';
import { readBooks, prepareTerms, findIds, countUnsettled } from './event-world.ts';

/**
 * Sends all events that move or hold money, mixed with operator decisions, and compares the server with an independent
 * model. Server, database and platform are killed during batches, which are then sent again.
 */

const BATCH = 40;
/** Size of a batch that is killed: large enough to be running when its first event is written. */
const KILLED_BATCH = 120;
/** Number of batches between two comparisons of balances. Every kill is followed by a comparison too. */
const COMPARED_AFTER = 5;
/** Maximum wait for a condition: after a kill, jobs continue once the lease of the killed server has ended. */
const WAIT_MS = 120_000;
const ACCOUNTS = ['ada', 'bob', 'cleo', 'dan', 'eve', 'fay', 'gus', 'hal'];
const DAY = 24 * 3_600_000;

/** The families of events that a session of some length applies. */
export const FAMILIES = [
  'balance',
  'follow',
  'funding',
  'ieo',
  'order',
  'position',
  'recharge',
  'second',
  'tick',
  'transfer',
  'withdraw',
];

/** What sends the events of a session. */
export interface EventSender {
  /**
   * Sends events until they are answered.
   *
   * @param onLost runs after each try without an answer, before the next one
   */
  send: (events: readonly ModelEvent[], onLost: () => Promise<void>) => Promise<EventAnswer[]>;
  /** The answers of a dry run. */
  dryRun?: (events: readonly ModelEvent[]) => Promise<EventAnswer[]>;
  /** Kills the platform during a call; the next try is that of a new process. */
  kill?: () => Promise<void>;
}

/** Sends with plain calls, without a client. */
export const plainSender = (world: World): EventSender => ({
  send: async (events, onLost) => {
    for (;;) {
      const answers = await world.tryEvents(...events);
      if (answers) return answers;
      await onLost();
    }
  },
});

type Victim = 'server' | 'postgres' | 'platform';

export class EventSession {
  readonly counts = { applied: 0, duplicate: 0, rejected: 0, interrupted: 0, partial: 0, dry: 0 };
  readonly appliedTypes = new Set<string>();
  readonly operationCounts = new Map<string, number>();
  readonly #world: World;
  readonly #sender: EventSender;
  readonly #model: EventModel;
  readonly #source: EventSource;
  readonly #seed: number;
  #keys = 0;

  private constructor(world: World, sender: EventSender, model: EventModel, seed: number, start: number) {
    this.#world = world;
    this.#sender = sender;
    this.#model = model;
    this.#seed = seed;
    this.#source = new EventSource(model, randomFrom(seed), ACCOUNTS, start);
  }

  /** Gives some users their first funds. */
  static async start(world: World, sender: EventSender, seed: number): Promise<EventSession> {
    const start = Date.now() - DAY;
    const rules = { ...ledgerEntryRules, ...spotRules, ...positionRules };
    const model = new EventModel(await prepareTerms(world, start), rules);
    for (const account of ACCOUNTS) {
      await world.events({ eventId: `user-${account}`, type: 'user.registered', data: { account } });
      model.state.users.set(account, { frozen: false });
    }
    const [id] = await findIds(world, 'user', ['ada']);
    const tier = { id, winType: 1, winRate: '77.777777777777777777' };
    expect(await world.post('user/second/change', tier)).toMatchObject({ code: 200 });
    model.state.users.set('ada', { frozen: false, winRate: 77_777_777_777_777_777_777n });
    const session = new EventSession(world, sender, model, seed, start);
    const drafts = initialFunds(session.#source);
    const events = drafts.map((draft, index) => ({ ...draft, eventId: `given-${index}`, at: start }));
    session.#compareAnswers(
      events.map((event) => ({ event, judgement: model.judge(event) })),
      await world.events(...events),
    );
    session.counts.applied = 0;
    return session;
  }

  /** Sends this many events, with kills at regular distances. The installation goes live after a quarter. */
  async run(events: number, kills: number): Promise<void> {
    const killDuring = [
      () => this.#sendInterrupted('server'),
      () => this.#sendInterrupted('postgres'),
      () => this.#operateInterrupted(),
      ...(this.#sender.kill ? [() => this.#sendInterrupted('platform')] : []),
    ];
    for (let batch = 1, killed = 0; this.#total < events; batch += 1) {
      if (this.#total >= events / 4 && !this.#model.state.isLive) {
        expect(await this.#world.post('installation/live', {})).toMatchObject({ code: 200 });
        this.#model.state.isLive = true;
      }
      const isKill = killed < kills && this.#total >= (events * killed) / kills;
      if (isKill) await killDuring[killed % killDuring.length]?.();
      else await this.#sendBatch(1 + this.#source.below(2 * BATCH));
      killed += isKill ? 1 : 0;
      for (let n = 1 + this.#source.below(10); n > 0; n -= 1) await this.#operate();
      if (isKill || batch % COMPARED_AFTER === 0) await this.#compareBooks();
      if (isKill) expect(await checkBook(this.#world.db)).toEqual([]);
    }
    await this.#compareBooks();
    expect(await checkBook(this.#world.db)).toEqual([]);
  }

  /** One line for the output of the test. */
  summarize(): string {
    const decisions = [...this.operationCounts].map(([name, times]) => `${name}: ${times}`).join(', ');
    const counts = JSON.stringify(this.counts);
    return `seed ${this.#seed}, ${this.appliedTypes.size} kinds, ${counts}, decisions ${decisions}\n`;
  }

  get #total(): number {
    return this.counts.applied + this.counts.duplicate + this.counts.rejected;
  }

  #describe(...details: readonly unknown[]): string {
    return `seed ${this.#seed}: ${details.map((one) => JSON.stringify(one)).join(' ')}`;
  }

  /** Checks each answer against the model. If several rejection reasons apply, the server may name any of them. */
  #compareAnswers(judgedEvents: readonly JudgedEvent[], answers: readonly EventAnswer[], isDry = false): void {
    expect(answers).toHaveLength(judgedEvents.length);
    for (const [index, { event, judgement }] of judgedEvents.entries()) {
      const { result, reason } = answers[index] ?? { result: 'none' };
      const isExpected = result === judgement.result && (reason === undefined || judgement.reasons.includes(reason));
      expect(isExpected, this.#describe(event, { answer: answers[index], judgement, isDry })).toBe(true);
      this.counts[isDry ? 'dry' : judgement.result] += 1;
      if (result === 'applied') this.appliedTypes.add(event.type);
    }
  }

  /** Waits until the server has settled every due contract, then settles them in the model. */
  async #settle(): Promise<void> {
    await this.#waitUntil(async () => (await countUnsettled(this.#world)) === 0);
    settleContracts(this.#model);
  }

  async #waitUntil(isDone: () => Promise<boolean>): Promise<void> {
    for (const deadline = Date.now() + WAIT_MS; Date.now() < deadline; await sleep(10)) {
      if (await isDone().catch(() => false)) return;
    }
    throw new Error(`seed ${this.#seed}: the condition was not met in time`);
  }

  async #sendBatch(size: number): Promise<void> {
    const before = this.#model.snapshot();
    const judged = this.#source.generateBatch(size, kinds, { ticks: this.#source.chance(60), stakes: true });
    if (this.#sender.dryRun) {
      const answers = await this.#sender.dryRun(judged.map(({ event }) => event));
      this.#compareAnswers(judged, answers, true);
    }
    await this.#deliver(before, judged);
  }

  /** Kills the victim once the first event of the batch is written. */
  async #sendInterrupted(victim: Victim): Promise<void> {
    const before = this.#model.snapshot();
    const ticks = this.#source.chance(50);
    const judged = this.#source.generateBatch(KILLED_BATCH, kinds, { ticks, stakes: !ticks });
    let isAnswered = false;
    const delivery = this.#deliver(before, judged, victim).finally(() => (isAnswered = true));
    await this.#waitUntil(async () => isAnswered || (await this.#fetchWrittenIds(judged)).size > 0);
    if (victim === 'server') await this.#world.killServer();
    else if (victim === 'postgres') await this.#world.killPostgres();
    else await this.#sender.kill?.();
    await delivery;
  }

  /**
   * Sends a batch until it is answered. Without an answer, the model returns to its snapshot, replays the written events
   * and judges the whole batch again before the retry.
   */
  async #deliver(before: ReturnType<EventModel['snapshot']>, batch: readonly JudgedEvent[], victim?: Victim) {
    const events = batch.map(({ event }) => event);
    let [start, judged] = [before, batch];
    const onLost = async (): Promise<void> => {
      // A server whose client has gone applies the rest of the call, so its end is known.
      if (victim === 'platform') await this.#waitUntil(() => this.#isWritten(judged));
      // Wait until both the server and the database respond again.
      await this.#world.platformGet('balances?account=ada');
      await this.#waitUntil(async () => (await countUnsettled(this.#world)) >= 0);
      this.#model.restore(start);
      this.#replayWritten(judged, await this.#fetchWrittenIds(judged));
      await this.#settle();
      start = this.#model.snapshot();
      judged = events.map((event) => ({ event, judgement: this.#model.judge(event) }));
    };
    const answers = await this.#sender.send(events, onLost);
    this.#compareAnswers(judged, answers);
    await this.#settle();
  }

  /** Ids of the events that the model applied and the server has recorded. */
  async #fetchWrittenIds(judged: readonly JudgedEvent[]): Promise<Set<string>> {
    const ids = appliedOf(judged).map(({ event }) => event.eventId);
    const { rows } = await sql<{ id: string }>`
      select event_id as id from inbox where event_id = any(${ids}::text[])`.execute(this.#world.db);
    return new Set(rows.map(({ id }) => id));
  }

  async #isWritten(judged: readonly JudgedEvent[]): Promise<boolean> {
    return (await this.#fetchWrittenIds(judged)).size === appliedOf(judged).length;
  }

  /** Expects the written events to be a prefix of those that the model applied. */
  #replayWritten(judged: readonly JudgedEvent[], written: ReadonlySet<string>): void {
    const applied = appliedOf(judged);
    this.counts.interrupted += 1;
    if (written.size > 0 && written.size < applied.length) this.counts.partial += 1;
    let isOver = false;
    for (const { event } of applied) {
      const isWritten = written.has(event.eventId);
      expect(isWritten && isOver, this.#describe('written after one that is not', event)).toBe(false);
      isOver ||= !isWritten;
      if (isWritten) expect(this.#model.judge(event).result, this.#describe('written', event)).toBe('applied');
    }
  }

  async #operate(): Promise<void> {
    let operation: Operation | undefined;
    while (!operation) operation = nextOperation(this.#source, this.#model);
    const { code, msg } = await this.#decide(operation);
    expect(code, this.#describe(operation, msg)).toBe(operation.code);
    const name = `${operation.path} ${code}`;
    this.operationCounts.set(name, (this.operationCounts.get(name) ?? 0) + 1);
  }

  /** Runs operator decisions during a kill. Each is retried under its idempotency key until it is answered. */
  async #operateInterrupted(): Promise<void> {
    const killing = new AbortController();
    const operations = (async () => {
      while (!killing.signal.aborted) await this.#operate();
    })();
    await this.#world.killServer().finally(() => killing.abort());
    await operations;
  }

  async #decide({ path, target, body }: Operation): Promise<{ code: number; msg: string }> {
    const world = this.#world;
    const [id] = await findIds(world, target.kind, [target.no]);
    if (target.kind === 'payout') return world.platformPost('commands/ack', [{ id, ...body }]);
    const key = `operation-${(this.#keys += 1)}`;
    if (target.kind !== 'user') return world.post(path, { id, ...body }, key);
    if (!path.startsWith('asset/')) return world.post(path, { id }, key);
    const { rows } = await sql<{
      id: number;
    }>`select id from market where market_name = ${String(body['marketId'])}`.execute(world.db);
    return world.post(path, { ...body, userId: id, marketId: rows[0]?.id }, key);
  }

  async #compareBooks(): Promise<void> {
    const books = await readBooks(this.#world);
    expect(books.balances, this.#describe('balances')).toEqual(this.#model.balances());
    expect(books.states, this.#describe('states')).toEqual(this.#model.states());
    expect(books.holds, this.#describe('holds')).toEqual(this.#model.holds());
  }
}

const appliedOf = (judged: readonly JudgedEvent[]): JudgedEvent[] =>
  judged.filter(({ judgement }) => judgement.result === 'applied');
