import type { PlatformCommand } from '@hengtai/contract/gateway/commands.schema';
import type { Ack, EventAnswer } from '@hengtai/contract/gateway/schema';
import { D, formatAmount } from '../amount.ts';
import { marketOf, priceOf } from '../market.ts';
import { HOUR_MS } from '../rhythm.ts';
import { randomFor, type World } from '../world.ts';
import { acceptCommand } from './engine.ts';
import { decimalsOf } from './order.ts';
import {
  OPERATOR,
  STOP_LOSS,
  TAKE_PROFIT,
  USER,
  cancelPosition,
  closePosition,
  refundPosition,
  fundPosition,
  isLiquidatable,
  liquidatePosition,
  openPosition,
} from './position.ts';
import type { LivePosition } from '../records.ts';

type PositionCommand = Extract<PlatformCommand, { type: 'position.cancel' | 'position.close' }>;

/** Funding interval: rare enough to keep the ledger readable, frequent enough to appear in a short demo. */
const FUNDING_MS = HOUR_MS;
/** Largest funding payment of a round, as a share of the position value. */
const FUNDING_RATE = 0.0004;

/** Fills orders, closes or liquidates positions, pays funding and executes due commands. */
export function stepFutures(world: World): void {
  for (const [no, position] of Object.entries(world.state.positions)) {
    if (!position.live) continue;
    if (position.openPrice === undefined) stepOrder(world, no, position);
    else stepOpen(world, no, position);
  }
  stepFunding(world);
  stepPendingCommands(world);
}

function stepOrder(world: World, no: string, { market, side, price, cancelAt }: LivePosition): void {
  const last = priceOf(world, market);
  if (price === undefined) return openPosition(world, no, last);
  if (side === 1 ? new D(last).lte(price) : new D(last).gte(price)) return openPosition(world, no, price);
  if (cancelAt > 0 && cancelAt <= world.now) cancelPosition(world, no);
}

/** Price, amount and margin of the last check of each position. */
const checked = new WeakMap<LivePosition, string>();

function stepOpen(world: World, no: string, position: LivePosition): void {
  const { market, side, takeProfit, stopLoss, left, held, closeAt, closeShare } = position;
  const last = priceOf(world, market);
  // Price, amount and margin are unchanged, so no exit can have become due.
  const inputs = `${last}|${left}|${held}`;
  if (checked.get(position) !== inputs) {
    checked.set(position, inputs);
    if (isLiquidatable(world, position, last)) return liquidatePosition(world, no, last);
    const isLong = side === 1;
    const above = (price: string): boolean => new D(last).gte(price);
    const below = (price: string): boolean => new D(last).lte(price);
    if (takeProfit !== undefined && (isLong ? above : below)(takeProfit))
      return closePosition(world, no, new D(left), last, TAKE_PROFIT);
    if (stopLoss !== undefined && (isLong ? below : above)(stopLoss))
      return closePosition(world, no, new D(left), last, STOP_LOSS);
  }
  if (closeAt > 0 && closeAt <= world.now) closeByUser(world, no, position, closeShare, last);
}

/**
 * Closes the user's chosen share, or everything if the share rounds to zero. A remainder is closed after the same
 * wait again, at least one minute.
 */
export function closeByUser(world: World, no: string, position: LivePosition, share: number, price: string): void {
  const { market, left, closeAt, placedAt } = position;
  const part = new D(formatAmount(new D(left).mul(share), decimalsOf(marketOf(world, market), market)));
  position.closeAt = closeAt + Math.max(closeAt - placedAt, 60_000);
  position.closeShare = 1;
  closePosition(world, no, part.gt(0) ? part : new D(left), price, USER);
}

/** Pays funding once per hour between long and short positions; the random rate decides which side pays. */
function stepFunding(world: World): void {
  const round = Math.floor(world.now / FUNDING_MS);
  const last = world.state.counters['funding.round'] ?? 0;
  if (last === round) return;
  world.state.counters['funding.round'] = round;
  // The process has just started, so the current round counts as paid.
  if (last === 0) return;
  const markets = new Map<string, number>();
  for (const [no, position] of Object.entries(world.state.positions)) {
    if (!position.live || position.openPrice === undefined) continue;
    const rate =
      markets.get(position.market) ?? randomFor(world, 'funding', position.market, round).span(-1, 1) * FUNDING_RATE;
    markets.set(position.market, rate);
    const worth = new D(position.left).mul(priceOf(world, position.market));
    const paid = worth.mul(rate).mul(position.side === 1 ? -1 : 1);
    fundPosition(world, no, paid.toDecimalPlaces(6, D.ROUND_FLOOR));
  }
}

function stepPendingCommands(world: World): void {
  const { actions, acks, positions } = world.state;
  for (const [id, { no, amount, due, late }] of Object.entries(actions)) {
    if (due > world.now) continue;
    delete actions[id];
    const position = positions[no];
    const isExecutable = canExecute(position, amount);
    if (isExecutable && position) {
      if (amount === undefined) cancelPosition(world, no);
      else closePosition(world, no, new D(amount), priceOf(world, position.market), OPERATOR);
    }
    if (!late) continue;
    acks.push(
      isExecutable
        ? { id: Number(id), state: 'done' }
        : { id: Number(id), state: 'failed', reason: goneReason(amount) },
    );
  }
}

const canExecute = (position: LivePosition | undefined, amount: string | undefined): boolean =>
  position !== undefined && (position.openPrice === undefined) === (amount === undefined);
const goneReason = (amount: string | undefined): string => (amount === undefined ? '委托已成交或已结束' : '仓位已平');

const FAILURES = ['撮合队列繁忙', '仓位正在结算，请稍后再试'];

/** Handles a cancel or close command with the same outcomes as spot cancels; a close uses the market price. */
export function handlePositionCommand(world: World, { id, data }: PositionCommand): Ack | undefined {
  const amount = 'amount' in data ? data.amount : undefined;
  return acceptCommand(world, id, {
    pending: world.state.actions,
    exists: canExecute(world.state.positions[data.no], amount),
    missingReason: goneReason(amount),
    failures: FAILURES,
    create: (schedule) => ({ no: data.no, ...(amount === undefined ? {} : { amount }), ...schedule }),
  });
}

/** Activates a position, or refunds it if the server rejected it. */
export function onPositionAnswer(world: World, no: string, result: EventAnswer['result']): void {
  const position = world.state.positions[no];
  if (!position) return;
  if (result === 'rejected') refundPosition(world, no);
  else position.live = true;
}
