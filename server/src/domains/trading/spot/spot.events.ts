import type { EventData } from '@hengtai/contract/gateway/events.schema';
import { COMMAND } from '@hengtai/contract/gateway/gateway';
import { SPOT_SIDE, spotEventStates } from '@hengtai/contract/trading/spot/calls';
import { SPOT } from '@hengtai/contract/trading/spot/facts';
import type { EventHandlers } from '../../../gateway/handlers.ts';
import type { EventCtx } from '../../../gateway/event-batch.ts';
import { isListed, isFrozen, mustFindCoin, mustFindMarket, mustFindUser } from '../../../gateway/lookup.store.ts';
import { reject, rejectField } from '../../../gateway/rejected.ts';
import { unfreezeLeg } from '../../../books/ledger/hold.ts';
import { canSell } from '../../people/user/user.steps.ts';
import { recordNotification } from '../../../actions/notification.store.ts';
import {
  type Fill,
  computeFill,
  fillLegs,
  findPrecisionError,
  findFormError,
  findLimitError,
  computeInitialHold,
  holdOwner,
  isZero,
  receivedCoin,
} from './spot.rules.ts';
import { type EventOrder, endOrder, fillOrder, isKnownTrade, newOrders, orders, spotOrders } from './spot.store.ts';
import { settleCommands } from '../../../gateway/order-command.store.ts';
import { prefetchRows } from '../../../gateway/prefetch.ts';

type SpotEvent = 'order.placed' | 'order.filled' | 'order.cancelled';

export const spotEvents: EventHandlers<SpotEvent> = {
  'order.placed': place,
  'order.filled': fill,

  /** Releases the remaining hold, no matter who requested the cancel. */
  'order.cancelled': async (ctx, data) => {
    const order = await mustLock(ctx, data.no);
    const { batch, db, at, now } = ctx;
    if (!(spotEventStates.cancelled as readonly number[]).includes(order.state)) throw reject('state');
    if (!(await endOrder(db, order, now))) throw reject('state');
    if (!isZero(order.frozen)) {
      const owner = holdOwner(order);
      await batch.release(headOf(order, ctx), owner, order.frozen, [unfreezeLeg(owner, order.frozen)]);
    }
    if (order.state !== SPOT.cancelling) return;
    await settleCommands(db, spotOrders, order.id, COMMAND.done, '', now);
    await recordNotification(db, { type: 'trade.cancelled', ...notificationRef(order), at, now });
  },
};

/** Which fields an order has. */
const ORDER_FORM = 'price and amount of a limit order, funds of a market buy, amount of a market sell, and no other';

async function place({ batch, at, now }: EventCtx, data: EventData['order.placed']): Promise<void> {
  const user = await mustFindUser(batch, data.account);
  const market = await mustFindMarket(batch, data.market);
  const request = {
    side: data.side,
    type: data.type,
    price: data.price ?? null,
    amount: data.amount ?? null,
    funds: data.funds ?? null,
  };
  const precision = { price: market.pricePrecision, amount: market.amountPrecision };
  const wrongForm = findFormError(request);
  if (wrongForm !== undefined) throw rejectField(wrongForm, ORDER_FORM);
  const tooFine = findPrecisionError(request, precision);
  if (tooFine !== undefined) throw rejectField(tooFine, 'no more decimals than the precision of the market');
  if (isFrozen(user)) throw reject('frozen');
  if (user.trade !== 1) throw reject('forbidden');
  if (request.side === SPOT_SIDE.sell && !canSell(user, market)) throw reject('forbidden');
  if (market.spot !== 1 || !isListed(market) || market.id === market.usdtId) throw reject('closed');
  if (market.isSpotHalted) throw reject('halted');
  const limitError = findLimitError(market, request.amount);
  if (limitError) throw reject(limitError);
  const frozen = computeInitialHold(request);
  const row = { no: data.no, userId: user.id, agentId: user.agentId, marketId: market.id, ...request, frozen };
  const id = await batch.insertWithId(newOrders, { ...row, createdAt: at, now });
  await batch.freeze(
    { refType: 'trade', refId: id, at, now },
    holdOwner({ ...row, coinId: market.coinId, quoteId: market.quoteId }),
    frozen,
  );
}

async function fill(ctx: EventCtx, data: EventData['order.filled']): Promise<void> {
  const { batch, db, at, now } = ctx;
  const order = await mustLock(ctx, data.no);
  const trade = { ...data, feeMarketId: await findFeeMarket(ctx, order, data.feeCoin) };
  const effect = await computeFillOrReject(ctx, order, trade);
  await fillOrder(batch, order, { ...trade, ...effect, createdAt: at, now });
  const legs = fillLegs(order, trade, effect);
  const head = headOf(order, ctx);
  if (isZero(effect.holdReduction)) {
    if (legs.length > 0) await batch.post(head, legs);
  } else await batch.release(head, holdOwner(order), effect.holdReduction, legs);
  if (order.state !== SPOT.cancelling || effect.state !== SPOT.filled) return;
  await settleCommands(db, spotOrders, order.id, COMMAND.failed, '委托已全部成交', now);
  await recordNotification(db, {
    type: 'trade.cancelFailed',
    ...notificationRef(order),
    detail: '委托已全部成交',
    at,
    now,
  });
}

/** The coin of a fee; null for the coin that the order receives. */
async function findFeeMarket({ batch }: EventCtx, order: EventOrder, feeCoin: string | undefined) {
  if (feeCoin === undefined) return null;
  const { id } = await mustFindCoin(batch, feeCoin, 'feeCoin');
  return id === receivedCoin(order) ? null : id;
}

/** @throws Rejected as a duplicate if the trade exists, before any other reason */
async function computeFillOrReject({ db }: EventCtx, order: EventOrder, data: Fill & { tradeNo: string }) {
  try {
    if (!(spotEventStates.filled as readonly number[]).includes(order.state)) throw reject('state');
    return computeFill(order, data);
  } catch (error) {
    throw (await isKnownTrade(db, data.tradeNo)) ? reject('exists') : error;
  }
}

async function mustLock({ batch }: EventCtx, no: string): Promise<EventOrder> {
  const order = await batch.lockRow(orders, no);
  if (!order) throw reject('unknown', 'no');
  return order;
}

const headOf = (order: EventOrder, { at, now }: EventCtx) => ({ refType: 'trade', refId: order.id, at, now });
const notificationRef = ({ id, userId, agentId }: EventOrder) => ({ refType: 'trade', refId: id, userId, agentId });

export const prefetchOrders = prefetchRows(
  orders,
  new Map([
    ['order.filled', 'no'],
    ['order.cancelled', 'no'],
  ]),
);
