import { EVENTS_MAX } from '@hengtai/contract/gateway/gateway';
import type { PlatformEvent } from '@hengtai/contract/gateway/events.schema';
import { PLATFORM } from '@hengtai/contract/values/money';
import { AGENTS, emitAgent, agentJoinedAt } from './agent.ts';
import { scheduleOpenIdentities, scheduleIdentityReviews } from './kyc.ts';
import { createOpenPosition, createPastPosition } from './exchange/future-trader.ts';
import { createPastOrder } from './exchange/trader.ts';
import { scheduleOpenIeos, createPastIeo } from './ieo.ts';
import { schedulePastBinaryContracts } from './binary-contract.ts';
import { scheduleOpenTalks } from './support.ts';
import { countTicks, tickDay } from './market.ts';
import { PRICE_MODELS } from './price.ts';
import type { Random } from './random.ts';
import {
  finishRecharge,
  emitCredited,
  emitDetected,
  generateRecharge,
  isReversed,
  reverseRecharge,
} from './recharge.ts';
import { DAY_MS, startOfDay, sampleTimeOfDay, distribute } from './rhythm.ts';
import { makeTransfer } from './transfer.ts';
import { changeCredential, firstMidnightOf, login, samplePastWeights, register } from './user.ts';
import { scheduleWallets } from './wallets/opening.ts';
import { OPENING, createOpeningWithdraw, createPastWithdraw } from './withdraw.ts';
import { balanceOf, randomFor, moveBalance, type World } from './world.ts';
import type { User } from './records.ts';

/** Average number of actions per customer over the whole past. */
const PER_CUSTOMER = {
  recharge: 1.7,
  withdraw: 0.76,
  transfer: 0.45,
  order: 0.24,
  login: 0.6,
  credential: 0.22,
  ieo: 0.11,
  position: 0.085,
} as const;
type Action = keyof typeof PER_CUSTOMER;
/** Recharges older than this are emitted as one credited event, younger ones step by step. */
const DETAILED_MS = 10 * DAY_MS;
/** Requests that wait at the start: the period in which they came in, and the gap between the last one and the start. */
const OPENING_MS = 2.5 * 3_600_000;
const OPENING_LAST_MS = 90_000;
/** Resting orders at the start, and the period in which they were placed. */
const RESTING = 40;
const RESTING_MS = 2.5 * 3_600_000;
/** Positions and futures orders that exist at the start. */
const OPEN = 66;
/** Events per batch; small enough for a fast answer. */
const BATCH_EVENTS = 500;

/** Scheduled callbacks, earliest first; first in, first out at the same time. */
class Agenda {
  private readonly items: { at: number; order: number; run: () => void }[] = [];
  private order = 0;

  add(at: number, run: () => void): void {
    const item = { at, order: (this.order += 1), run };
    let low = 0;
    let high = this.items.length;
    // Sorted in reverse, so the earliest item is removed from the end in constant time.
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.items[middle]?.at ?? 0) > at) low = middle + 1;
      else high = middle;
    }
    this.items.splice(low, 0, item);
  }

  /** Runs all callbacks before `end`, including those added meanwhile. */
  runUntil(end: number, before: (at: number) => void): void {
    for (let next = this.items.at(-1); next && next.at < end; next = this.items.at(-1)) {
      this.items.pop();
      before(next.at);
      next.run();
    }
  }
}

/**
 * Generates the past in time order, in batches of either ticks or other events. `world` must be new, with markets
 * and start time; after the last batch it holds the state at the start. The same seed, scale, markets and start
 * day give the same batches, so the generator can stop and restart at any batch.
 */
export function* generatePast(world: World): Generator<PlatformEvent[]> {
  const { queue, startedAt } = world.state;
  const { days } = world.options;
  const dawn = firstMidnightOf(world);
  const plan = planDays(world);
  const agenda = new Agenda();
  const run = (until: number): void => agenda.runUntil(until, (at) => (world.now = at));
  AGENTS.forEach((agent, index) => {
    const at = agentJoinedAt(world, agent);
    if (at < startedAt) agenda.add(at, () => emitAgent(world, index));
  });
  for (const [name, { from }] of Object.entries(PRICE_MODELS)) world.state.prices[name] = String(from);
  scheduleOpenWithdrawals(world, agenda);
  scheduleOpenIdentities(world, (at, run) => agenda.add(at, run));
  scheduleRestingOrders(world, agenda);
  scheduleOpenPositions(world, agenda);
  scheduleOpenIeos(world, (at, run) => agenda.add(at, run));
  scheduleOpenTalks(world, (at, run) => agenda.add(at, run));
  schedulePastBinaryContracts(world, (at, run) => agenda.add(at, run));
  scheduleWallets(world, (at, run) => agenda.add(at, run));
  let known = 0;
  run(dawn);
  yield* takeBatches(queue, BATCH_EVENTS);
  for (let day = 0; day <= days; day += 1) {
    const start = dawn + day * DAY_MS;
    const end = Math.min(start + DAY_MS, startedAt);
    // Actions use the prices of the morning, so the time of day of the start does not change earlier events.
    const morningPrices = { ...world.state.prices };
    tickDay(world, dawn, days, day, end);
    const eveningPrices = world.state.prices;
    world.state.prices = morningPrices;
    yield* takeBatches(queue, EVENTS_MAX);
    planDay(world, agenda, plan, day, world.users.slice(0, known));
    for (; (world.users[known]?.joined ?? end) < end; known += 1)
      scheduleNewUser(world, agenda, world.users[known] as User);
    run(end);
    world.state.prices = eveningPrices;
    yield* takeBatches(queue, BATCH_EVENTS);
  }
  world.now = startedAt;
}

/** Measured average of events per customer over the whole past, ticks excluded. */
const EVENTS_PER_CUSTOMER = 9;

/**
 * Returns a function that estimates the imported share (0 to 1) at the end of a batch. Ticks are counted exactly;
 * other events are estimated.
 */
export function estimateProgress(world: World): (batch: readonly PlatformEvent[]) => number {
  const dawn = firstMidnightOf(world);
  const { days, users } = world.options;
  const weights = samplePastWeights(world);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const plan = weights.map((weight, day) => {
    const length = Math.min(DAY_MS, world.state.startedAt - dawn - day * DAY_MS);
    const others = (users * EVENTS_PER_CUSTOMER * weight * length) / (sum * DAY_MS);
    return { length, others, ticks: countTicks(world, days, day, length) };
  });
  const sumOf = (part: typeof plan): number => part.reduce((total, { ticks, others }) => total + ticks + others, 0);
  let last = 0;
  return (batch) => {
    const { at, type } = batch.at(-1) ?? { at: dawn, type: '' };
    const day = Math.min(Math.max(Math.floor((at - dawn) / DAY_MS), 0), plan.length - 1);
    const { length, ticks, others } = plan[day] ?? { length: DAY_MS, ticks: 0, others: 0 };
    const share = Math.min(Math.max((at - dawn - day * DAY_MS) / length, 0), 1);
    // The ticks of a day are sent before its other events.
    const done = sumOf(plan.slice(0, day)) + (type === 'tick' ? ticks * share : ticks + others * share);
    last = Math.max(last, done / sumOf(plan));
    return last;
  };
}

function* takeBatches(queue: PlatformEvent[], size: number): Generator<PlatformEvent[]> {
  while (queue.length > 0) yield queue.splice(0, size);
}

function planDays(world: World): Record<Action, number[]> {
  const weights = samplePastWeights(world);
  const perDay = (action: Action) =>
    distribute(world.options.users * PER_CUSTOMER[action], weights, world.options.days);
  return {
    recharge: perDay('recharge'),
    withdraw: perDay('withdraw'),
    transfer: perDay('transfer'),
    order: perDay('order'),
    login: perDay('login'),
    credential: perDay('credential'),
    ieo: perDay('ieo'),
    position: perDay('position'),
  };
}

/** Schedules a day's actions of the customers known at its beginning. */
function planDay(
  world: World,
  agenda: Agenda,
  plan: Record<Action, number[]>,
  day: number,
  known: readonly User[],
): void {
  const dice = randomFor(world, 'day', day);
  const start = firstMidnightOf(world) + day * DAY_MS;
  const activeUsers = known.filter((user) => user.leaves > start);
  const pickAny = createPicker(activeUsers, (user) => user.appetite);
  const pickPayer = createPicker(activeUsers, (user) => (user.wealth > 0 ? user.appetite : 0));
  if (!pickAny || !pickPayer) return;
  const schedule = (action: Action, run: (user: User) => void, pick = pickPayer): void => {
    for (let left = plan[action][day] ?? 0; left > 0; left -= 1) {
      const user = pick(dice);
      agenda.add(start + sampleTimeOfDay(dice), () => run(user));
    }
  };
  schedule('login', (user) => login(world, user), pickAny);
  schedule('credential', (user) => changeCredential(world, user.account), pickAny);
  schedule('recharge', (user) => createRechargeInPast(world, agenda, user));
  schedule('withdraw', ({ account }) => createPastWithdraw(world, account, dice));
  schedule('transfer', ({ account }) => makeTransfer(world, account, pickPayer(dice).account));
  schedule('order', ({ account }) => createPastOrder(world, account, dice, (at, run) => agenda.add(at, run)));
  schedule('position', ({ account }) => createPastPosition(world, account, (at, run) => agenda.add(at, run)));
  schedule('ieo', ({ account }) => createPastIeo(world, account));
}

/** A weighted random choice of a user; undefined if no user has weight. */
function createPicker(list: readonly User[], weightOf: (user: User) => number): ((dice: Random) => User) | undefined {
  let sum = 0;
  const sums = list.map((user) => (sum += weightOf(user)));
  const first = list[0];
  if (!first || sum === 0) return undefined;
  return (dice) => {
    const at = dice.next() * sum;
    let low = 0;
    let high = sums.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) > at) high = middle;
      else low = middle + 1;
    }
    return list[low] ?? first;
  };
}

/** Schedules registration, first login, identity review and often a first recharge. */
function scheduleNewUser(world: World, agenda: Agenda, user: User): void {
  const dice = randomFor(world, 'join', user.account);
  agenda.add(user.joined, () => register(world, user));
  agenda.add(user.joined + dice.int(2, 40) * 1_000, () => login(world, user));
  scheduleIdentityReviews(world, user, (at, run) => agenda.add(at, run));
  if (user.wealth === 0 || !(user.wealth > 10 || dice.chance(0.62))) return;
  agenda.add(user.joined + Math.round(dice.logNormal(45, 1.3) * 60_000), () =>
    createRechargeInPast(world, agenda, user),
  );
}

function createRechargeInPast(world: World, agenda: Agenda, user: User): void {
  const draft = generateRecharge(world, user);
  if (!draft) return;
  const { no, account, market, amount } = draft.data;
  const due = Math.round(world.now + draft.wait * 1_000);
  const finish = (credited: () => void): void => {
    credited();
    moveBalance(world, account, market, PLATFORM.fund, amount);
    if (!isReversed(world, no)) return;
    agenda.add(world.now + 900_000, () => {
      // A reversal without enough balance would raise an alarm.
      if (balanceOf(world, account, market, PLATFORM.fund).gte(amount))
        reverseRecharge(world, no, { account, market, amount });
    });
  };
  if (draft.end === 'credited' && world.now < startOfDay(world.state.startedAt) - DETAILED_MS) {
    finish(() => emitCredited(world, draft));
    return;
  }
  emitDetected(world, draft, due);
  // A recharge not concluded at the start is continued by the live simulation.
  agenda.add(due, () => {
    finishRecharge(world, no);
    delete world.state.recharges[no];
    if (draft.end === 'credited') finish(() => undefined);
  });
}

/** Schedules withdrawals that wait for an operator at the start. */
function scheduleOpenWithdrawals(world: World, agenda: Agenda): void {
  const dice = randomFor(world, 'openings');
  const last = world.state.startedAt - OPENING_LAST_MS;
  for (const _ of OPENING)
    agenda.add(Math.floor(last - dice.next() ** 1.5 * OPENING_MS), () => createOpeningWithdraw(world));
}

/** Schedules orders that rest in the book at the start. */
function scheduleRestingOrders(world: World, agenda: Agenda): void {
  const dice = randomFor(world, 'resting');
  const last = world.state.startedAt - OPENING_LAST_MS;
  for (let left = RESTING; left > 0; left -= 1) {
    agenda.add(Math.floor(last - dice.next() * RESTING_MS), () => {
      const rich = world.users.filter(({ wealth, joined }) => wealth > 1 && joined < world.now);
      if (rich.length > 0)
        createPastOrder(world, dice.pick(rich).account, dice, (at, run) => agenda.add(at, run), true);
    });
  }
}

function scheduleOpenPositions(world: World, agenda: Agenda): void {
  const dice = randomFor(world, 'open positions');
  const last = world.state.startedAt - OPENING_LAST_MS;
  for (let left = OPEN; left > 0; left -= 1) {
    agenda.add(Math.floor(last - dice.next() * RESTING_MS), () => {
      const rich = world.users.filter(({ wealth, joined }) => wealth > 1 && joined < world.now);
      if (rich.length > 0) createOpenPosition(world, dice.pick(rich).account, dice);
    });
  }
}
