// @module-tag full
// @module-tag soak
import type { EventAnswer } from '@hengtai/contract/gateway.schema';
import { sql } from 'kysely';
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkBook } from '../src/ledger/check.ts';
import { sized } from '../../testing/level.ts';
import { World } from './crash-world.ts';
import { initialFunds, kinds } from './event-kinds.ts';
import { EventModel } from './event-model.ts';
import type { ModelState } from './event-model-state.ts';
import { ledgerEntryRules } from './event-model-funds.ts';
import { positionRules } from './event-model-positions.ts';
import { settleContracts, spotRules } from './event-model-trades.ts';
import { type Operation, nextOperation } from './event-operations.ts';
import { EventSource, type JudgedEvent, randomFrom } from './event-source.ts';
import { readBooks, prepareTerms, findIds, countUnsettled } from './event-world.ts';

/**
 * Sends all events that move or hold money, mixed with operator decisions, and compares the server with an independent
 * model. Server and database are killed during batches, which are then sent again.
 */

const EVENTS = sized({ full: 1_000, long: 20_000 });
const KILLS = sized({ full: 3, long: 24 });
const BATCH = 40;
/** Size of a batch that is killed: large enough to be running when its first event is written. */
const KILLED_BATCH = 120;
/** Number of batches between two comparisons of balances. Every kill is followed by a comparison too. */
const COMPARED_AFTER = 5;
const SEED = Number(process.env['TEST_SEED'] || randomInt(2 ** 31));
const ACCOUNTS = ['ada', 'bob', 'cleo', 'dan', 'eve', 'fay', 'gus', 'hal'];
const FAMILIES = [
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
const DAY = 24 * 3_600_000;

let world: World;
let model: EventModel;
let source: EventSource;
let keys = 0;
const counts = { applied: 0, duplicate: 0, rejected: 0, interrupted: 0, partial: 0 };
const appliedTypes = new Set<string>();
const operationCounts = new Map<string, number>();

beforeAll(async () => {
  world = await World.start();
  const start = Date.now() - DAY;
  model = new EventModel(await prepareTerms(world, start), { ...ledgerEntryRules, ...spotRules, ...positionRules });
  for (const account of ACCOUNTS) {
    await world.events({ eventId: `user-${account}`, type: 'user.registered', data: { account } });
    model.state.users.set(account, { frozen: false });
  }
  const [id] = await findIds(world, 'user', ['ada']);
  const tier = { id, winType: 1, winRate: '77.777777777777777777' };
  expect(await world.post('user/second/change', tier)).toMatchObject({ code: 200 });
  model.state.users.set('ada', { frozen: false, winRate: 77_777_777_777_777_777_777n });
  source = new EventSource(model, randomFrom(SEED), ACCOUNTS, start);
  const initialEvents = initialFunds(source).map((draft, index) => ({
    ...draft,
    eventId: `given-${index}`,
    at: start,
  }));
  compareAnswers(
    initialEvents.map((event) => ({ event, judgement: model.judge(event) })),
    await world.events(...initialEvents),
  );
  counts.applied = 0;
}, 240_000);
afterAll(() => world?.stop(), 120_000);

/** Checks each answer against the model. If several rejection reasons apply, the server may name any of them. */
function compareAnswers(judgedEvents: readonly JudgedEvent[], answers: readonly EventAnswer[]): void {
  expect(answers).toHaveLength(judgedEvents.length);
  for (const [index, { event, judgement }] of judgedEvents.entries()) {
    const { result, reason } = answers[index] ?? { result: 'none' };
    const isExpected = result === judgement.result && (reason === undefined || judgement.reasons.includes(reason));
    expect(isExpected, describe(event, { answer: answers[index], judgement })).toBe(true);
    counts[judgement.result] += 1;
    if (result === 'applied') appliedTypes.add(event.type);
  }
}

const describe = (...details: readonly unknown[]): string =>
  `seed ${SEED}: ${details.map((one) => JSON.stringify(one)).join(' ')}`;

/** Waits until the server has settled every due contract, then settles them in the model. */
async function settle(): Promise<void> {
  await waitUntil(async () => (await countUnsettled(world)) === 0);
  settleContracts(model);
}

async function waitUntil(isDone: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 3_000; tries += 1) {
    if (await isDone().catch(() => false)) return;
    await sleep(10);
  }
  throw new Error(`seed ${SEED}: the condition was not met in time`);
}

async function sendBatch(size: number): Promise<void> {
  const before = model.snapshot();
  const judgedEvents = source.generateBatch(size, kinds, { ticks: source.chance(60), stakes: true });
  await deliver(before, judgedEvents, world.tryEvents(...judgedEvents.map(({ event }) => event)));
}

/** Kills the victim once the first event of the batch is written. */
async function sendInterrupted(victim: 'server' | 'postgres'): Promise<void> {
  const before = model.snapshot();
  const ticks = source.chance(50);
  const judgedEvents = source.generateBatch(KILLED_BATCH, kinds, { ticks, stakes: !ticks });
  let isAnswered = false;
  const firstTry = world.tryEvents(...judgedEvents.map(({ event }) => event)).finally(() => (isAnswered = true));
  await waitUntil(async () => isAnswered || (await fetchWrittenIds(judgedEvents)).size > 0);
  await (victim === 'server' ? world.killServer() : world.killPostgres());
  await deliver(before, judgedEvents, firstTry);
}

/**
 * Sends a batch until it is answered. Without an answer, the model returns to its snapshot, replays the written events
 * and judges the whole batch again before the retry.
 */
async function deliver(
  before: ModelState,
  batch: readonly JudgedEvent[],
  firstTry: Promise<EventAnswer[] | undefined>,
): Promise<void> {
  const events = batch.map(({ event }) => event);
  let [start, judgedEvents, answers] = [before, batch, await firstTry];
  while (!answers) {
    // Wait until both the server and the database respond again.
    await world.platformGet('balances?account=ada');
    await waitUntil(async () => (await countUnsettled(world)) >= 0);
    model.restore(start);
    replayWritten(judgedEvents, await fetchWrittenIds(judgedEvents));
    await settle();
    start = model.snapshot();
    judgedEvents = events.map((event) => ({ event, judgement: model.judge(event) }));
    answers = await world.tryEvents(...events);
  }
  compareAnswers(judgedEvents, answers);
  await settle();
}

/** Ids of the events that the model applied and the server has recorded. */
async function fetchWrittenIds(judgedEvents: readonly JudgedEvent[]): Promise<Set<string>> {
  const ids = judgedEvents.filter(({ judgement }) => judgement.result === 'applied').map(({ event }) => event.eventId);
  const { rows } = await sql<{ id: string }>`
    select event_id as id from inbox where event_id = any(${ids}::text[])`.execute(world.db);
  return new Set(rows.map(({ id }) => id));
}

/** Expects the written events to be a prefix of those that the model applied. */
function replayWritten(judgedEvents: readonly JudgedEvent[], written: ReadonlySet<string>): void {
  const applied = judgedEvents.filter(({ judgement }) => judgement.result === 'applied');
  counts.interrupted += 1;
  if (written.size > 0 && written.size < applied.length) counts.partial += 1;
  let isOver = false;
  for (const { event } of applied) {
    const isWritten = written.has(event.eventId);
    expect(isWritten && isOver, describe('written after one that is not', event)).toBe(false);
    isOver ||= !isWritten;
    if (isWritten) expect(model.judge(event).result, describe('written', event)).toBe('applied');
  }
}

async function operate(): Promise<void> {
  let operation: Operation | undefined;
  while (!operation) operation = nextOperation(source, model);
  const { code, msg } = await send(operation);
  expect(code, describe(operation, msg)).toBe(operation.code);
  const name = `${operation.path} ${code}`;
  operationCounts.set(name, (operationCounts.get(name) ?? 0) + 1);
}

/** Runs operator decisions during a kill. Each is retried under its idempotency key until it is answered. */
async function operateInterrupted(): Promise<void> {
  const killing = new AbortController();
  const operations = (async () => {
    while (!killing.signal.aborted) await operate();
  })();
  await world.killServer().finally(() => killing.abort());
  await operations;
}

const killDuring = [() => sendInterrupted('server'), () => sendInterrupted('postgres'), operateInterrupted];

async function send({ path, target, body }: Operation): Promise<{ code: number; msg: string }> {
  const [id] = await findIds(world, target.kind, [target.no]);
  if (target.kind === 'payout') return world.platformPost('commands/ack', [{ id, ...body }]);
  const key = `operation-${(keys += 1)}`;
  if (target.kind !== 'user') return world.post(path, { id, ...body }, key);
  if (!path.startsWith('asset/')) return world.post(path, { id }, key);
  const { rows } = await sql<{
    id: number;
  }>`select id from market where market_name = ${String(body['marketId'])}`.execute(world.db);
  return world.post(path, { ...body, userId: id, marketId: rows[0]?.id }, key);
}

async function compareBooks(): Promise<void> {
  const books = await readBooks(world);
  expect(books.balances, describe('balances')).toEqual(model.balances());
  expect(books.states, describe('states')).toEqual(model.states());
  expect(books.holds, describe('holds')).toEqual(model.holds());
}

test('balances, holds and answers match the model while server and database are killed', async () => {
  const total = (): number => counts.applied + counts.duplicate + counts.rejected;
  for (let batch = 1, kills = 0; total() < EVENTS; batch += 1) {
    if (total() >= EVENTS / 4 && !model.state.isLive) {
      expect(await world.post('installation/live', {})).toMatchObject({ code: 200 });
      model.state.isLive = true;
    }
    const isKill = kills < KILLS && total() >= (EVENTS * kills) / KILLS;
    if (isKill) await killDuring[kills % killDuring.length]?.();
    else await sendBatch(1 + source.below(2 * BATCH));
    kills += isKill ? 1 : 0;
    for (let n = 1 + source.below(10); n > 0; n -= 1) await operate();
    if (isKill || batch % COMPARED_AFTER === 0) await compareBooks();
    if (isKill) expect(await checkBook(world.db)).toEqual([]);
  }
  await compareBooks();
  expect(await checkBook(world.db)).toEqual([]);
}, 3_600_000);

test('every event family was applied, and some kills left batches partly written', () => {
  const decisions = [...operationCounts].map(([name, times]) => `${name}: ${times}`).join(', ');
  process.stdout.write(`seed ${SEED}, ${appliedTypes.size} kinds, ${JSON.stringify(counts)}, decisions ${decisions}\n`);
  const families = new Set([...appliedTypes].map((type) => type.split('.')[0]));
  expect(families).toEqual(new Set(FAMILIES));
  expect(counts.interrupted).toBeGreaterThan(0);
});
