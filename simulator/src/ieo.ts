import { ieoRejectReasons } from '@hengtai/contract/trading/ieo/calls';
import { IEO } from '@hengtai/contract/trading/ieo/facts';
import { PLATFORM, SETTLEMENT } from '@hengtai/contract/values/money';
import { type Amount, D, roundNaturally } from './amount.ts';
import type { Random } from './random.ts';
import { DAY_MS, startOfDay } from './rhythm.ts';
import {
  balanceOf,
  nextNumber,
  randomFor,
  emit,
  listHoldings,
  timeFromNow,
  moveBalance,
  formatNo,
  type World,
} from './world.ts';

/** The token sold by subscription, and its price per round, the latest round first. */
const TOKEN = 'HTT';
const ROUNDS = ['0.6', '0.54', '0.48'] as const;
const ROUND_DAYS = 32;
/** Smallest subscription in the settlement asset. */
const MIN_VALUE = 20;
/** No new requests while this many wait for an operator. */
const UNDECIDED_MAX = 40;
const CANCELLED_SHARE = 0.12;
/**
 * Requests that wait at the start, the period in which they came in, and the gap between the last one and the
 * start.
 */
const OPENING = 9;
const OPENING_MS = 2.2 * 3_600_000;
const OPENING_LAST_MS = 150_000;
const REVIEW_MAX_MS = 2 * 3_600_000;

/** The price of the round at `world.now`. Rounds end at midnight, so the time of day of the start has no effect. */
function priceAt(world: World): string {
  const round = Math.floor((startOfDay(world.state.startedAt) + DAY_MS - 1 - world.now) / (ROUND_DAYS * DAY_MS));
  return ROUNDS[Math.min(Math.max(round, 0), ROUNDS.length - 1)] ?? ROUNDS[0];
}

interface Subscription {
  price: string;
  amount: string;
  pay: Amount;
}

/** Chooses a token amount for a balance; undefined if it would be too small or too expensive. */
function chooseAmount(world: World, active: Amount, dice: Random): Subscription | undefined {
  const price = priceAt(world);
  const wanted = D.min(active.mul(dice.span(0.04, 0.35)), dice.span(400, 9_000));
  const tokens = new D(roundNaturally(wanted.div(price).toNumber(), dice));
  const pay = tokens.mul(price);
  if (pay.lt(MIN_VALUE) || pay.gt(active)) return undefined;
  return { price, amount: tokens.toFixed(), pay };
}

const fundsOf = (world: World, account: string): Amount => balanceOf(world, account, SETTLEMENT, PLATFORM.fund);
const isSold = (world: World): boolean => world.markets.some(({ name }) => name === TOKEN);

/** Creates a past subscription with its decision; a passed one is paid from the balance of that time. */
export function createPastIeo(world: World, account: string): void {
  const number = nextNumber(world, 'ieo');
  const dice = randomFor(world, 'ieo', number);
  const subscription = isSold(world) ? chooseAmount(world, fundsOf(world, account), dice) : undefined;
  if (!subscription) return;
  const { price, amount, pay } = subscription;
  const state = dice.weighted([[IEO.passed, 80] as const, [IEO.rejected, 13] as const, [IEO.cancelled, 7] as const]);
  const took = Math.min(dice.logNormal(25 * 60_000, 0.8), REVIEW_MAX_MS);
  const reviewedAt = Math.min(Math.floor(world.now + took), world.state.startedAt);
  const decision = state === IEO.cancelled ? {} : { by: dice.chance(0.7) ? 'fuhe' : 'admin', reviewedAt };
  const end = state === IEO.rejected ? { reason: dice.pick(ieoRejectReasons) } : {};
  const booked = state === IEO.passed ? { booked: true } : {};
  const no = formatNo(world, 'I', number);
  emit(world, 'ieo.imported', no, { no, account, market: TOKEN, price, amount, state, ...decision, ...end, ...booked });
  if (state !== IEO.passed) return;
  moveBalance(world, account, SETTLEMENT, PLATFORM.fund, pay.neg());
  moveBalance(world, account, TOKEN, PLATFORM.fund, amount);
}

/** Schedules requests that wait for an operator at the start. */
export function scheduleOpenIeos(world: World, add: (at: number, run: () => void) => void): void {
  const dice = randomFor(world, 'open ieos');
  const last = world.state.startedAt - OPENING_LAST_MS;
  for (let left = OPENING; left > 0; left -= 1)
    add(Math.floor(last - dice.next() * OPENING_MS), () => createSubscription(world, false));
}

export function createIeo(world: World): void {
  if (Object.keys(world.state.subscriptions).length < UNDECIDED_MAX) createSubscription(world, true);
}

function createSubscription(world: World, mayCancel: boolean): void {
  const number = nextNumber(world, 'ieo');
  const dice = randomFor(world, 'ieo', number);
  const held = listHoldings(world, PLATFORM.fund, SETTLEMENT).filter(
    ({ account, active }) => active.gte(200) && !world.state.unsubscribed.includes(account),
  );
  if (held.length === 0 || !isSold(world)) return;
  const { account, active } = dice.pick(held);
  const subscription = chooseAmount(world, active, dice);
  if (!subscription) return;
  const { price, amount, pay } = subscription;
  const no = formatNo(world, 'I', number);
  const cancelAt = mayCancel && dice.chance(CANCELLED_SHARE) ? timeFromNow(world, dice, 40, 300) : 0;
  world.state.subscriptions[no] = { account, pay: pay.toFixed(), cancelAt };
  moveBalance(world, account, SETTLEMENT, PLATFORM.fund, pay.neg());
  emit(world, 'ieo.ordered', no, { no, account, market: TOKEN, price, amount });
}

/** Emits the cancels of users that are due. */
export function stepIeos(world: World): void {
  for (const [no, open] of Object.entries(world.state.subscriptions)) {
    if (open.cancelAt === 0 || open.cancelAt > world.now) continue;
    open.cancelAt = 0;
    emit(world, 'ieo.cancelled', no, { no });
  }
}

/** Forgets a request that the server rejected or already had; a rejected one is refunded. */
export function onIeoAnswer(world: World, no: string, result: 'applied' | 'duplicate' | 'rejected'): void {
  if (result !== 'applied') forgetRequest(world, no, result === 'rejected');
}

export function onIeoCancelAnswer(world: World, no: string, accepted: boolean): void {
  if (accepted) forgetRequest(world, no, true);
}

/** Forgets a decided request; the balance changes arrive as commands of their own. */
export const onIeoReviewed = (world: World, no: string): void => forgetRequest(world, no, false);

function forgetRequest(world: World, no: string, refunded: boolean): void {
  const open = world.state.subscriptions[no];
  if (!open) return;
  delete world.state.subscriptions[no];
  if (refunded) moveBalance(world, open.account, SETTLEMENT, PLATFORM.fund, open.pay);
}
