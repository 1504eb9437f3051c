import { EVENTS_MAX } from '@hengtai/contract/gateway';
import type { PlatformEvent } from '@hengtai/contract/gateway.schema';
import { PLATFORM } from '@hengtai/contract/money';
import { AGENTS, agentEvent, agentJoined } from './agent.ts';
import { openIdentities, planIdentity } from './kyc.ts';
import { openAtStart, pastPosition } from './exchange/future-trader.ts';
import { pastOrder } from './exchange/trader.ts';
import { openIeos, pastIeo } from './ieo.ts';
import { pastBinaryContracts } from './binary-contract.ts';
import { openTalks } from './support.ts';
import { countTicks, tickDay } from './market.ts';
import { PLAY } from './price.ts';
import type { Random } from './random.ts';
import { conclude, creditWhole, detect, draftRecharge, isReversed, reverse } from './recharge.ts';
import { DAY, dayOf, momentOf, spread } from './rhythm.ts';
import { transferOf } from './transfer.ts';
import { changeCredential, dawnOf, login, pastWeights, register, type User } from './user.ts';
import { OPENING, openingWithdraw, pastWithdraw } from './withdraw.ts';
import { balanceOf, draw, moveBalance, type World } from './world.ts';

/** How much of everything there is for each customer, over the whole past. */
const EACH = {
  recharge: 1.7,
  withdraw: 0.76,
  transfer: 0.45,
  order: 0.24,
  login: 0.6,
  credential: 0.22,
  ieo: 0.11,
  position: 0.085,
} as const;
type Action = keyof typeof EACH;
/** The older recharges are told in one event, with their end; the younger ones from their beginning. */
const YOUNG_MS = 10 * DAY;
/** Over how long the requests that wait for a new operator came in, and how near to the start the last one. */
const OPENING_MS = 2.5 * 3_600_000;
const OPENING_LAST_MS = 90_000;
/** Orders that wait in the book at the start, and over how long they came in. */
const RESTING = 40;
const RESTING_MS = 2.5 * 3_600_000;
/** Positions that are open, or wait, at the start. */
const OPEN = 66;
/** Small enough to be answered within a moment. */
const PARCEL = 500;

/** What is still to happen, the earliest first; of the same moment in the order in which it was put in. */
class Agenda {
  private readonly items: { at: number; order: number; run: () => void }[] = [];
  private order = 0;

  add(at: number, run: () => void): void {
    const item = { at, order: (this.order += 1), run };
    let low = 0;
    let high = this.items.length;
    // Kept backwards, so that the earliest is taken off the end.
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.items[middle]?.at ?? 0) > at) low = middle + 1;
      else high = middle;
    }
    this.items.splice(low, 0, item);
  }

  /** Runs everything before `end`, and what is put in meanwhile. */
  runUntil(end: number, before: (at: number) => void): void {
    for (let next = this.items.at(-1); next && next.at < end; next = this.items.at(-1)) {
      this.items.pop();
      before(next.at);
      next.run();
    }
  }
}

/**
 * The past as events in the order of time, in parcels that are sent one after another; a parcel has either ticks or other
 * events. The world is a fresh one with its markets and the moment of its start; when the last parcel is made, it is as it
 * stands at the start. The same seed, scale, markets and day of the start make the same parcels, and one can stop anywhere.
 */
export function* past(world: World): Generator<PlatformEvent[]> {
  const { queue, startedAt } = world.state;
  const { days } = world.options;
  const dawn = dawnOf(world);
  const plan = planOf(world);
  const agenda = new Agenda();
  const run = (until: number): void => agenda.runUntil(until, (at) => (world.now = at));
  AGENTS.forEach((agent, index) => {
    const at = agentJoined(world, agent);
    if (at < startedAt) agenda.add(at, () => agentEvent(world, index));
  });
  for (const [name, { from }] of Object.entries(PLAY)) world.state.prices[name] = String(from);
  openings(world, agenda);
  openIdentities(world, (at, run) => agenda.add(at, run));
  restingOrders(world, agenda);
  openPositions(world, agenda);
  openIeos(world, (at, run) => agenda.add(at, run));
  openTalks(world, (at, run) => agenda.add(at, run));
  pastBinaryContracts(world, (at, run) => agenda.add(at, run));
  let known = 0;
  run(dawn);
  yield* parcels(queue, PARCEL);
  for (let day = 0; day <= days; day += 1) {
    const start = dawn + day * DAY;
    const end = Math.min(start + DAY, startedAt);
    // People reckon with the morning's prices: how late on its day the exchange was started must change nothing before.
    const morning = { ...world.state.prices };
    tickDay(world, dawn, days, day, end);
    const evening = world.state.prices;
    world.state.prices = morning;
    yield* parcels(queue, EVENTS_MAX);
    planDay(world, agenda, plan, day, world.users.slice(0, known));
    for (; (world.users[known]?.joined ?? end) < end; known += 1) join(world, agenda, world.users[known] as User);
    run(end);
    world.state.prices = evening;
    yield* parcels(queue, PARCEL);
  }
  world.now = startedAt;
}

/** Events of a customer over the whole past besides ticks, measured. */
const EVENTS_EACH = 9;

/**
 * The share of the past's events up to the end of a parcel, 0 to 1. Their number is known only at the end: the ticks of
 * each day are counted, everything else is estimated.
 */
export function estimateProgress(world: World): (parcel: readonly PlatformEvent[]) => number {
  const dawn = dawnOf(world);
  const { days, users } = world.options;
  const weights = pastWeights(world);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const plan = weights.map((weight, day) => {
    const length = Math.min(DAY, world.state.startedAt - dawn - day * DAY);
    const others = (users * EVENTS_EACH * weight * length) / (sum * DAY);
    return { length, others, ticks: countTicks(world, days, day, length) };
  });
  const sumOf = (part: typeof plan): number => part.reduce((total, { ticks, others }) => total + ticks + others, 0);
  let last = 0;
  return (parcel) => {
    const { at, type } = parcel.at(-1) ?? { at: dawn, type: '' };
    const day = Math.min(Math.max(Math.floor((at - dawn) / DAY), 0), plan.length - 1);
    const { length, ticks, others } = plan[day] ?? { length: DAY, ticks: 0, others: 0 };
    const share = Math.min(Math.max((at - dawn - day * DAY) / length, 0), 1);
    // The ticks of a day come before its other events.
    const done = sumOf(plan.slice(0, day)) + (type === 'tick' ? ticks * share : ticks + others * share);
    last = Math.max(last, done / sumOf(plan));
    return last;
  };
}

function* parcels(queue: PlatformEvent[], size: number): Generator<PlatformEvent[]> {
  while (queue.length > 0) yield queue.splice(0, size);
}

function planOf(world: World): Record<Action, number[]> {
  const weights = pastWeights(world);
  const of = (action: Action) => spread(world.options.users * EACH[action], weights, world.options.days);
  return {
    recharge: of('recharge'),
    withdraw: of('withdraw'),
    transfer: of('transfer'),
    order: of('order'),
    login: of('login'),
    credential: of('credential'),
    ieo: of('ieo'),
    position: of('position'),
  };
}

/** Puts a day's actions of those who were customers before it on the agenda. */
function planDay(
  world: World,
  agenda: Agenda,
  plan: Record<Action, number[]>,
  day: number,
  known: readonly User[],
): void {
  const dice = draw(world, 'day', day);
  const start = dawnOf(world) + day * DAY;
  const there = known.filter((user) => user.leaves > start);
  const anybody = picker(there, (user) => user.appetite);
  const payers = picker(there, (user) => (user.wealth > 0 ? user.appetite : 0));
  if (!anybody || !payers) return;
  const times = (action: Action, run: (user: User) => void, pick = payers): void => {
    for (let left = plan[action][day] ?? 0; left > 0; left -= 1) {
      const user = pick(dice);
      agenda.add(start + momentOf(dice), () => run(user));
    }
  };
  times('login', (user) => login(world, user), anybody);
  times('credential', (user) => changeCredential(world, user.account), anybody);
  times('recharge', (user) => pay(world, agenda, user));
  times('withdraw', ({ account }) => pastWithdraw(world, account, dice));
  times('transfer', ({ account }) => transferOf(world, account, payers(dice).account));
  times('order', ({ account }) => pastOrder(world, account, dice, (at, run) => agenda.add(at, run)));
  times('position', ({ account }) => pastPosition(world, account, (at, run) => agenda.add(at, run)));
  times('ieo', ({ account }) => pastIeo(world, account));
}

/** Draws as the weights say; undefined when there is nobody. */
function picker(list: readonly User[], weightOf: (user: User) => number): ((dice: Random) => User) | undefined {
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

/** Somebody registers, looks around at once, and often pays in for the first time soon after. */
function join(world: World, agenda: Agenda, user: User): void {
  const dice = draw(world, 'join', user.account);
  agenda.add(user.joined, () => register(world, user));
  agenda.add(user.joined + dice.int(2, 40) * 1_000, () => login(world, user));
  planIdentity(world, user, (at, run) => agenda.add(at, run));
  if (user.wealth === 0 || !(user.wealth > 10 || dice.chance(0.62))) return;
  agenda.add(user.joined + Math.round(dice.logNormal(45, 1.3) * 60_000), () => pay(world, agenda, user));
}

function pay(world: World, agenda: Agenda, user: User): void {
  const draft = draftRecharge(world, user);
  if (!draft) return;
  const { no, account, market, amount } = draft.data;
  const due = Math.round(world.now + draft.wait * 1_000);
  const finish = (credited: () => void): void => {
    credited();
    moveBalance(world, account, market, PLATFORM.fund, amount);
    if (!isReversed(world, no)) return;
    agenda.add(world.now + 900_000, () => {
      // What was spent meanwhile would only be an alarm.
      if (balanceOf(world, account, market, PLATFORM.fund).gte(amount)) reverse(world, no, { account, market, amount });
    });
  };
  if (draft.end === 'credited' && world.now < dayOf(world.state.startedAt) - YOUNG_MS) {
    finish(() => creditWhole(world, draft));
    return;
  }
  detect(world, draft, due);
  // What is undecided at the start is the present's.
  agenda.add(due, () => {
    conclude(world, no);
    delete world.state.recharges[no];
    if (draft.end === 'credited') finish(() => undefined);
  });
}

/** Requests of the last hours, for a new operator to decide. */
function openings(world: World, agenda: Agenda): void {
  const dice = draw(world, 'openings');
  const last = world.state.startedAt - OPENING_LAST_MS;
  for (const _ of OPENING) agenda.add(Math.floor(last - dice.next() ** 1.5 * OPENING_MS), () => openingWithdraw(world));
}

/** Orders that wait in the book when the present begins. */
function restingOrders(world: World, agenda: Agenda): void {
  const dice = draw(world, 'resting');
  const last = world.state.startedAt - OPENING_LAST_MS;
  for (let left = RESTING; left > 0; left -= 1) {
    agenda.add(Math.floor(last - dice.next() * RESTING_MS), () => {
      const rich = world.users.filter(({ wealth, joined }) => wealth > 1 && joined < world.now);
      if (rich.length > 0) pastOrder(world, dice.pick(rich).account, dice, (at, run) => agenda.add(at, run), true);
    });
  }
}

function openPositions(world: World, agenda: Agenda): void {
  const dice = draw(world, 'open positions');
  const last = world.state.startedAt - OPENING_LAST_MS;
  for (let left = OPEN; left > 0; left -= 1) {
    agenda.add(Math.floor(last - dice.next() * RESTING_MS), () => {
      const rich = world.users.filter(({ wealth, joined }) => wealth > 1 && joined < world.now);
      if (rich.length > 0) openAtStart(world, dice.pick(rich).account, dice);
    });
  }
}
