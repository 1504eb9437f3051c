import type { Ack, EventAnswer } from '@hengtai/contract/gateway/schema';
import type { PlatformCommand, PlatformSignal } from '@hengtai/contract/gateway/commands.schema';
import { FUTURE_SIDE } from '@hengtai/contract/trading/future/calls';
import { MARKET_TYPE } from '@hengtai/contract/trading/market/type';
import { PLATFORM, SETTLEMENT } from '@hengtai/contract/values/money';
import { SIGNAL } from '@hengtai/contract/trading/signal/facts';
import { type Amount, D, roundNaturally } from './amount.ts';
import { priceOf } from './market.ts';
import { fundTradingAccount } from './transfer.ts';
import { nextNumber, randomFor, emit, listHoldings, timeFromNow, moveBalance, formatNo, type World } from './world.ts';
import type { LiveFollow } from './records.ts';

type CloseCommand = Extract<PlatformCommand, { type: 'follow.close' }>;

const FAILURES = ['跟单正在了结，暂不能结束', '撮合队列繁忙'];
/** No new follows while this many are open. */
const OPEN_MAX = 60;

/** Adds a running signal, or removes one that ended. */
export function onSignalPublished(world: World, signal: PlatformSignal): void {
  if (signal.state === SIGNAL.running) world.state.signals[signal.no] = signal;
  else delete world.state.signals[signal.no];
}

/** Replaces the known signals with the server's list, for a start without stored state. */
export function readSignals(world: World, answer: unknown): void {
  if (!Array.isArray(answer)) return;
  world.state.signals = Object.fromEntries((answer as PlatformSignal[]).map((signal) => [signal.no, signal]));
}

/** Opens a follow for a random account with futures money; if there is none, funds one instead. */
export function createFollow(world: World): void {
  const { signals, follows, closed } = world.state;
  const open = Object.values(signals).filter((signal) => isOpen(world, signal));
  if (open.length === 0 || Object.keys(follows).length >= OPEN_MAX) return;
  const number = nextNumber(world, 'follow');
  const dice = randomFor(world, 'follow', number);
  const signal = dice.pick(open);
  const held = listHoldings(world, PLATFORM.future, SETTLEMENT).filter(
    ({ account, active }) => active.gte(signal.minAmount) && !closed.includes(account),
  );
  if (held.length === 0) {
    const rich = listHoldings(world, PLATFORM.fund, SETTLEMENT).filter(({ active }) => active.gte(500));
    if (rich.length > 0) fundTradingAccount(world, dice.pick(rich).account, dice, PLATFORM.future);
    return;
  }
  const { account, active } = dice.pick(held);
  const wanted = D.min(active.mul(dice.span(0.1, 0.6)), signal.maxAmount);
  const amount = D.max(roundNaturally(wanted.toNumber(), dice), signal.minAmount);
  if (amount.gt(active) || amount.gt(signal.maxAmount)) return;
  const no = formatNo(world, 'K', number);
  moveBalance(world, account, SETTLEMENT, PLATFORM.future, amount.neg());
  const closeAt = timeFromNow(world, dice, 120, 1_800);
  const price = priceOf(world, signal.market);
  follows[no] = { account, signal, amount: amount.toFixed(), price, closeAt, live: false };
  emit(world, 'follow.opened', no, { no, account, signal: signal.no, amount: amount.toFixed() });
}

const isOpen = (world: World, { market, startAt, endAt }: PlatformSignal): boolean =>
  startAt <= world.now &&
  world.now < endAt &&
  world.markets.some(({ name, halted }) => name === market && !halted.includes(MARKET_TYPE.future));

/** Ends follows at their take-profit, stop-loss or planned time, and executes due end commands. */
export function stepFollows(world: World): void {
  for (const [no, follow] of Object.entries(world.state.follows)) {
    if (follow.live && (follow.closeAt <= world.now || hasReachedExit(world, follow))) endFollow(world, no);
  }
  const { followEnds, acks, follows } = world.state;
  for (const [id, end] of Object.entries(followEnds)) {
    if (end.due > world.now) continue;
    delete followEnds[id];
    const isLive = follows[end.no]?.live === true;
    if (isLive) endFollow(world, end.no);
    if (!end.late) continue;
    acks.push(isLive ? { id: Number(id), state: 'done' } : { id: Number(id), state: 'failed', reason: '跟单已结束' });
  }
}

/** True if the price has reached the signal's take-profit or stop-loss. */
function hasReachedExit(world: World, { signal }: LiveFollow): boolean {
  const price = new D(priceOf(world, signal.market));
  // The operator may have changed take-profit or stop-loss since.
  const { takeProfit, stopLoss } = world.state.signals[signal.no] ?? signal;
  const long = signal.side === FUTURE_SIDE.long;
  const [above, below] = long ? [takeProfit, stopLoss] : [stopLoss, takeProfit];
  return (above !== null && price.gte(above)) || (below !== null && price.lte(below));
}

/** Profit in USDT, rounded down; the loss is at most the stake. */
function profitOf(world: World, { signal, amount, price }: LiveFollow): Amount {
  const rise = new D(priceOf(world, signal.market)).div(price).minus(1);
  const change = signal.side === FUTURE_SIDE.long ? rise : rise.neg();
  const profit = change.mul(signal.leverage).mul(amount).toDecimalPlaces(2, D.ROUND_DOWN);
  return D.max(profit, new D(amount).neg());
}

function endFollow(world: World, no: string): void {
  const follow = world.state.follows[no];
  if (!follow) return;
  const profit = profitOf(world, follow);
  delete world.state.follows[no];
  moveBalance(world, follow.account, SETTLEMENT, PLATFORM.future, profit.plus(follow.amount));
  emit(world, 'follow.closed', no, { no, profit: profit.toFixed() });
}

/** Activates a follow, or refunds it if the server rejected it. */
export function onFollowAnswer(world: World, no: string, result: EventAnswer['result']): void {
  const follow = world.state.follows[no];
  if (!follow) return;
  if (result !== 'rejected') {
    follow.live = true;
    return;
  }
  delete world.state.follows[no];
  moveBalance(world, follow.account, SETTLEMENT, PLATFORM.future, follow.amount);
}

/** Handles an end command with the same outcomes as a cancel of a spot order. */
export function handleFollowClose(world: World, { id, data }: CloseCommand): Ack | undefined {
  const dice = randomFor(world, 'follow close', id);
  const fate = dice.next();
  const { fail, unknown, late } = world.options;
  const known = world.state.followEnds[id];
  if (known) return known.late ? undefined : { id, state: 'done' };
  if (!world.state.follows[data.no]) return { id, state: 'failed', reason: '跟单不存在或已结束' };
  if (fate < fail) return { id, state: 'failed', reason: dice.pick(FAILURES) };
  if (fate < fail + unknown) return undefined;
  const slow = fate < fail + unknown + late;
  world.state.followEnds[id] = {
    no: data.no,
    due: slow ? timeFromNow(world, dice, 8, 40) : timeFromNow(world, dice, 0.5, 3),
    late: slow,
  };
  return slow ? undefined : { id, state: 'done' };
}
