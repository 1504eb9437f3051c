import { CLOSE_TYPE, FUTURE_SIDE } from '@hengtai/contract/trading/future/calls';
import { FUTURE } from '@hengtai/contract/trading/future/facts';
import { COMMAND } from '@hengtai/contract/gateway/gateway';
import type { EventData } from '@hengtai/contract/gateway/events.schema';
import { ENTRY } from '@hengtai/contract/values/money';
import { ORDER_TYPE } from '@hengtai/contract/trading/spot/facts';
import type { EventHandlers, Prefetch } from '../../../gateway/handlers.ts';
import { namesIn } from '../../../gateway/prefetch.ts';
import type { EventCtx } from '../../../gateway/event-batch.ts';
import { isListed, isFrozen, mustFindMarket, mustFindUser } from '../../../gateway/lookup.store.ts';
import { settleCommands } from '../../../gateway/order-command.store.ts';
import { futureOrders } from './future.store.ts';
import { reject, rejectField } from '../../../gateway/rejected.ts';
import { unfreezeLeg } from '../../../books/ledger/hold.ts';
import { recordNotification } from '../../../actions/notification.store.ts';
import { findLimitError, findPrecisionError } from '../spot/spot.rules.ts';
import {
  type CloseRequest,
  chargeLegs,
  computeClose,
  closeLegs,
  fundingLegs,
  holdOwner,
  isLess,
  isZero,
  subtract,
  negate,
  openAmountOf,
  multiply,
  accountsToLock,
} from './future.rules.ts';
import { compareFigure, isPending } from './opening.rules.ts';
import { charge, failCommands, headOf, lockAvailable, mustLock, notificationRef, postLegs } from './position-money.ts';
import { increase, open } from './position-open.events.ts';
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
  | 'position.increased'
  | 'position.flipped'
  | 'position.changed'
  | 'position.closed'
  | 'position.liquidated'
  | 'position.cancelled'
  | 'funding.paid';

export const futureEvents: EventHandlers<FutureEvent> = {
  'position.placed': place,
  'position.opened': open,
  'position.increased': increase,
  'position.flipped': flip,
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
  if (isFrozen(user)) throw reject('frozen');
  if (user.trade !== 1) throw reject('forbidden');
  if (market.future !== 1 || !isListed(market) || market.id === market.usdtId) throw reject('closed');
  if (market.isFutureHalted) throw reject('halted');
  const limitError = findLimitError(market, amount);
  if (limitError) throw reject(limitError);
  const owner = { userId: user.id, agentId: user.agentId, usdtId: market.usdtId };
  const row = { no: data.no, ...owner, marketId: market.id, demo, side, type, leverage, price, amount, margin };
  const id = await batch.insertWithId(newPositions, { ...row, createdAt: at, now });
  if (demo === 1) return;
  await batch.freeze({ refType: 'future', refId: id, at, now }, holdOwner(owner), margin, ENTRY.margin);
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
  data: Omit<CloseRequest, 'amount'> & { no: string; closeNo: string; amount?: string; realized?: string },
): Promise<void> {
  const { batch, db, at, now } = ctx;
  const liquidation = data.closeType === CLOSE_TYPE.liquidation;
  const isDuplicate = async () => isKnownClose(db, data.closeNo);
  const position = await mustLock(ctx, data.no, liquidation ? 'liquidated' : 'closed', isDuplicate);
  const request = { ...data, amount: data.amount ?? openAmountOf(position) };
  if (isLess(openAmountOf(position), request.amount))
    throw (await isDuplicate()) ? reject('exists') : reject('beyondOrder');
  const effect = computeClose(position, request, await lockAvailable(ctx, position, request.fee));
  compareFigure('realized', data.realized, effect.realized);
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
    { state, held, closing, closeType: request.closeType, add, ...(hasEnded && { ...NO_REST, endedAt: at }) },
    now,
  );
  // The end of a position ends what waits of its order.
  const pending = hasEnded ? position.pendingMargin : '0';
  await postLegs(ctx, position, subtract(effect.holdReduction, negate(pending)), [
    ...closeLegs(position, effect, request.closeType),
    unfreezeLeg(holdOwner(position), pending, ENTRY.margin),
  ]);
  if (liquidation) await recordNotification(db, { type: 'future.liquidated', ...notificationRef(position), at, now });
  if (position.state !== FUTURE.closing || state === FUTURE.closing) return;
  if (request.closeType === CLOSE_TYPE.operator) {
    await settleCommands(db, futureOrders, position.id, COMMAND.done, '', now);
    await recordNotification(db, { type: 'future.closed', ...notificationRef(position), at, now });
  } else await failCommands(ctx, position, liquidation ? '仓位已强平' : '仓位已全部平掉', 'future.closeFailed');
}

const NO_REST = { unopened: '0', pendingMargin: '0' };

/** Closes a position and opens one on the other side, both at the price of one trade. */
async function flip(ctx: EventCtx, data: EventData['position.flipped']): Promise<void> {
  const { batch, at, now } = ctx;
  const { no, closeNo, newNo, price, fee, amount, margin, realized } = data;
  const position = await mustLock(ctx, no, 'flipped', async () => isKnownClose(ctx.db, closeNo));
  const closed = { no, closeNo, price, fee, closeType: CLOSE_TYPE.user };
  await close(ctx, realized === undefined ? closed : { ...closed, realized });
  const { userId, agentId, marketId, demo, leverage } = position;
  const side = position.side === FUTURE_SIDE.long ? FUTURE_SIDE.short : FUTURE_SIDE.long;
  const order = { side, type: ORDER_TYPE.market, price: null, leverage, amount, margin };
  const row = { no: newNo, userId, agentId, marketId, demo, ...order, createdAt: at, now };
  const id = await batch.insertWithId(newPositions, row);
  if (demo === 0)
    await batch.freeze({ refType: 'future', refId: id, at, now }, holdOwner(position), margin, ENTRY.margin);
  await open(ctx, { no: newNo, price, fee: '0' });
}

/** Releases the margin of what waits of an order, no matter who requested the cancel. */
async function cancel(ctx: EventCtx, { no }: EventData['position.cancelled']): Promise<void> {
  const { batch, db, at, now } = ctx;
  const position = await mustLock(ctx, no, 'cancelled');
  const isWhole = isPending(position);
  if (!isWhole && isZero(position.unopened)) throw reject('state');
  const released = isWhole ? position.held : position.pendingMargin;
  const end = isWhole ? { state: FUTURE.cancelled, held: '0', endedAt: at } : NO_REST;
  await changePosition(batch, position, end, now);
  await postLegs(ctx, position, released, [unfreezeLeg(holdOwner(position), released, ENTRY.margin)]);
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
  ['position.increased', 'no'],
  ['position.flipped', 'no'],
  ['position.changed', 'no'],
  ['position.closed', 'no'],
  ['position.liquidated', 'no'],
  ['position.cancelled', 'no'],
  ['funding.paid', 'position'],
]);
/** Events that may charge the available balance of the user. */
const CHARGING_EVENTS: readonly string[] = [
  'position.increased',
  'position.flipped',
  'position.closed',
  'position.liquidated',
  'funding.paid',
];

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
