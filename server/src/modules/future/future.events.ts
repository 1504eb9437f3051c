import { CLOSE_TYPE, FUTURE, futureEventStates } from '@hengtai/contract/future';
import { COMMAND } from '@hengtai/contract/gateway';
import type { EventData } from '@hengtai/contract/gateway-events.schema';
import { ENTRY } from '@hengtai/contract/money';
import { ORDER_TYPE } from '@hengtai/contract/spot';
import type { EventHandlers, Prefetch } from '../../gateway/handlers.ts';
import { namesIn } from '../../gateway/prefetch.ts';
import type { EventCtx } from '../../gateway/event-batch.ts';
import { mustFindMarket, mustFindUser } from '../../gateway/lookup.store.ts';
import { settleCommands } from '../../gateway/order-command.store.ts';
import { futureOrders } from './future.store.ts';
import { reject, rejectField } from '../../gateway/rejected.ts';
import { unfreezeLeg } from '../../ledger/hold.ts';
import type { Leg } from '../../ledger/post.ts';
import { recordNotification } from '../../actions/notification.store.ts';
import { findLimitError, findPrecisionError } from '../spot/spot.rules.ts';
import {
  type ChargeSplit,
  type CloseRequest,
  type Position,
  splitCharge,
  chargeLegs,
  computeClose,
  closeLegs,
  fundingLegs,
  holdOwner,
  isLess,
  isZero,
  isBeyondLimit,
  subtract,
  negate,
  openAmountOf,
  multiply,
  accountsToLock,
} from './future.rules.ts';
import {
  changePosition,
  insertClose,
  insertFunding,
  isKnownClose,
  isKnownFunding,
  newPositions,
  positions,
} from './position.store.ts';

type FutureEvent =
  | 'position.placed'
  | 'position.opened'
  | 'position.changed'
  | 'position.closed'
  | 'position.liquidated'
  | 'position.cancelled'
  | 'funding.paid';

export const futureEvents: EventHandlers<FutureEvent> = {
  'position.placed': place,
  'position.opened': open,
  'position.changed': change,
  'position.closed': (ctx, data) => close(ctx, data),
  'position.liquidated': (ctx, data) => close(ctx, { ...data, closeType: CLOSE_TYPE.liquidation }),
  'position.cancelled': cancel,
  'funding.paid': pay,
};

async function place({ batch, at, now }: EventCtx, data: EventData['position.placed']): Promise<void> {
  const user = await mustFindUser(batch, data.account);
  const market = await mustFindMarket(batch, data.market);
  const { side, type, demo, leverage, amount, margin } = data;
  const price = data.price ?? null;
  if ((price !== null) !== (type === ORDER_TYPE.limit))
    throw rejectField('price', 'a price of a limit order, none of a market order');
  const precision = { price: market.pricePrecision, amount: market.amountPrecision };
  const invalidField = findPrecisionError({ price, amount }, precision);
  if (invalidField !== undefined) throw rejectField(invalidField, 'no more decimals than the precision of the market');
  if (leverage > market.maxLeverage) throw rejectField('leverage', `at most ${market.maxLeverage}`);
  if (user.state !== 1) throw reject('frozen');
  if (user.trade !== 1) throw reject('forbidden');
  if (market.future !== 1 || market.state !== 1 || market.id === market.usdtId) throw reject('closed');
  if (market.isFutureHalted) throw reject('halted');
  const limitError = findLimitError(market, amount);
  if (limitError) throw reject(limitError);
  const owner = { userId: user.id, agentId: user.agentId, usdtId: market.usdtId };
  const row = { no: data.no, ...owner, marketId: market.id, demo, side, type, leverage, price, amount, margin };
  const id = await batch.insertWithId(newPositions, { ...row, createdAt: at, now });
  if (demo === 1) return;
  await batch.freeze({ refType: 'future', refId: id, at, now }, holdOwner(owner), margin, ENTRY.margin);
}

async function open(ctx: EventCtx, { no, price, fee }: EventData['position.opened']): Promise<void> {
  const { batch, at, now } = ctx;
  const position = await mustLock(ctx, no, 'opened');
  if (isBeyondLimit(position, price)) throw reject('price');
  const paid = await charge(ctx, position, fee);
  const add = { fee, insured: paid.insured };
  const held = subtract(position.held, paid.margin);
  await changePosition(batch, position, { state: FUTURE.open, openPrice: price, openedAt: at, held, add }, now);
  await postLegs(ctx, position, paid.margin, chargeLegs(position, paid, 'fee', ENTRY.fee));
  if (position.state === FUTURE.cancelling) await failCommands(ctx, position, '委托已成交', 'future.cancelFailed');
}

async function change(ctx: EventCtx, data: EventData['position.changed']): Promise<void> {
  const { batch, now } = ctx;
  const position = await mustLock(ctx, data.no, 'changed');
  const margin = data.margin ?? position.held;
  const add = { margin: subtract(margin, position.held) };
  // A price of 0 removes the take-profit or stop-loss; a missing one leaves it.
  const zeroToNull = (price: string | undefined) => (price !== undefined && isZero(price) ? null : price);
  const [takeProfit, stopLoss] = [zeroToNull(data.takeProfit), zeroToNull(data.stopLoss)];
  await changePosition(batch, position, { held: margin, takeProfit, stopLoss, add }, now);
  if (position.demo === 1 || isZero(add.margin)) return;
  const owner = holdOwner(position);
  const head = headOf(position, ctx);
  if (isLess(position.held, margin)) await batch.freezeMore(head, owner, add.margin, ENTRY.margin);
  else {
    const refund = negate(add.margin);
    await batch.release(head, owner, refund, [unfreezeLeg(owner, refund, ENTRY.margin)]);
  }
}

async function close(
  ctx: EventCtx,
  data: Omit<CloseRequest, 'amount'> & { no: string; closeNo: string; amount?: string },
): Promise<void> {
  const { batch, db, at, now } = ctx;
  const liquidation = data.closeType === CLOSE_TYPE.liquidation;
  const isDuplicate = async () => isKnownClose(db, data.closeNo);
  const position = await mustLock(ctx, data.no, liquidation ? 'liquidated' : 'closed', isDuplicate);
  const request = { ...data, amount: data.amount ?? openAmountOf(position) };
  if (isLess(openAmountOf(position), request.amount)) throw (await isDuplicate()) ? reject('exists') : reject('beyond');
  const effect = computeClose(position, request, await lockAvailable(ctx, position, request.fee));
  const insured = subtract(effect.loss.insured, negate(effect.fee.insured));
  await insertClose(batch, position, { ...request, ...effect, fee: request.fee, insured, at, now });
  const { state, held, closing } = effect;
  const hasEnded = state === FUTURE.closed || state === FUTURE.liquidated;
  const add = {
    closeAmount: request.amount,
    closeValue: multiply(request.amount, request.price),
    realized: effect.realized,
    fee: request.fee,
    insured,
  };
  await changePosition(
    batch,
    position,
    { state, held, closing, closeType: request.closeType, add, ...(hasEnded && { endedAt: at }) },
    now,
  );
  await postLegs(ctx, position, effect.holdReduction, closeLegs(position, effect, request.closeType));
  if (liquidation) await recordNotification(db, { type: 'future.liquidated', ...notificationRef(position), at, now });
  if (position.state !== FUTURE.closing || state === FUTURE.closing) return;
  if (request.closeType === CLOSE_TYPE.operator) {
    await settleCommands(db, futureOrders, position.id, COMMAND.done, '', now);
    await recordNotification(db, { type: 'future.closed', ...notificationRef(position), at, now });
  } else await failCommands(ctx, position, liquidation ? '仓位已强平' : '仓位已全部平掉', 'future.closeFailed');
}

/** Releases the margin of a pending order, no matter who requested the cancel. */
async function cancel(ctx: EventCtx, { no }: EventData['position.cancelled']): Promise<void> {
  const { batch, db, at, now } = ctx;
  const position = await mustLock(ctx, no, 'cancelled');
  await changePosition(batch, position, { state: FUTURE.cancelled, held: '0', endedAt: at }, now);
  await postLegs(ctx, position, position.held, [unfreezeLeg(holdOwner(position), position.held, ENTRY.margin)]);
  if (position.state !== FUTURE.cancelling) return;
  await settleCommands(db, futureOrders, position.id, COMMAND.done, '', now);
  await recordNotification(db, { type: 'future.cancelled', ...notificationRef(position), at, now });
}

async function pay(ctx: EventCtx, { no, position: positionNo, amount }: EventData['funding.paid']): Promise<void> {
  const { batch, db, at, now } = ctx;
  const isDuplicate = async () => isKnownFunding(db, no);
  const position = await mustLock(ctx, positionNo, 'funding', isDuplicate, 'position');
  const paid = isLess(amount, '0') ? await charge(ctx, position, negate(amount)) : undefined;
  const [fromMargin, insured] = [paid?.margin ?? '0', paid?.insured ?? '0'];
  await insertFunding(db, position, { no, amount, fromMargin, insured, at, now });
  const held = subtract(position.held, fromMargin);
  await changePosition(batch, position, { held, add: { funding: amount, insured } }, now);
  const legs = paid ? chargeLegs(position, paid, 'trading', ENTRY.funding) : fundingLegs(position, amount);
  await postLegs(ctx, position, fromMargin, legs);
}

/** The field of each event that names a position. */
const positionFields = new Map<string, string>([
  ['position.opened', 'no'],
  ['position.changed', 'no'],
  ['position.closed', 'no'],
  ['position.liquidated', 'no'],
  ['position.cancelled', 'no'],
  ['funding.paid', 'position'],
]);
/** Events that may charge the available balance of the user. */
const CHARGING_EVENTS: readonly string[] = ['position.closed', 'position.liquidated', 'funding.paid'];

/**
 * Locks the positions of a batch of events in one statement, then the accounts of those that may be charged, in the order of
 * all account locks.
 */
export const prefetchPositions: Prefetch = async (batch, events) => {
  const numbers = namesIn(events, positionFields);
  if (numbers.length === 0) return;
  const found = await batch.prefetch(positions, numbers);
  const charging = events.filter(({ type }) => CHARGING_EVENTS.includes(type));
  const charged = new Set(namesIn(charging, positionFields));
  const accounts = found.filter(({ no, demo }) => demo === 0 && charged.has(no)).flatMap(accountsToLock);
  if (accounts.length > 0) await batch.lockBalances(accounts);
};

/**
 * Locks the position of an event.
 *
 * @param isDuplicate whether the number of the event's own record exists; reported before any other error
 * @throws Rejected for a duplicate, an unknown position, or a state in which the event is impossible
 */
async function mustLock(
  { batch }: EventCtx,
  no: string,
  event: keyof typeof futureEventStates,
  isDuplicate?: () => Promise<boolean>,
  field = 'no',
): Promise<Position> {
  const position = await batch.lockRow(positions, no);
  const isPossible = position !== undefined && (futureEventStates[event] as readonly number[]).includes(position.state);
  if (!isPossible && (await isDuplicate?.())) throw reject('exists');
  if (!position) throw reject('unknown', field);
  if (!isPossible) throw reject('state');
  return position;
}

/** Locks and returns the active balance of the futures account. A demo position has no account and can always pay. */
async function lockAvailable({ batch }: EventCtx, position: Position, charged: string): Promise<string> {
  if (position.demo === 1) return charged;
  const [active] = await batch.lockBalances(accountsToLock(position));
  return active ?? '0';
}

async function charge(ctx: EventCtx, position: Position, amount: string): Promise<ChargeSplit> {
  if (isZero(amount)) return { active: '0', margin: '0', insured: '0' };
  return splitCharge(amount, await lockAvailable(ctx, position, amount), position.held);
}

/** Posts the legs and reduces the hold of the position by `holdReduction`. Demo positions move no money. */
async function postLegs(ctx: EventCtx, position: Position, holdReduction: string, legs: readonly Leg[]): Promise<void> {
  if (position.demo === 1) return;
  const nonZero = legs.filter(({ amount }) => !isZero(amount));
  if (nonZero.length === 0) return;
  const head = headOf(position, ctx);
  if (isZero(holdReduction)) await ctx.batch.post(head, nonZero);
  else await ctx.batch.release(head, holdOwner(position), holdReduction, nonZero);
}

/** Marks the commands of an operator as failed, because the engine was faster, and notifies. */
async function failCommands(
  { db, at, now }: EventCtx,
  position: Position,
  detail: string,
  type: 'future.cancelFailed' | 'future.closeFailed',
): Promise<void> {
  await settleCommands(db, futureOrders, position.id, COMMAND.failed, detail, now);
  await recordNotification(db, { type, ...notificationRef(position), detail, at, now });
}

const headOf = ({ id }: Position, { at, now }: EventCtx) => ({ refType: 'future', refId: id, at, now });
const notificationRef = ({ id, userId, agentId }: Position) => ({ refType: 'future', refId: id, userId, agentId });
