import type { EventData } from '@hengtai/contract/gateway.schema';
import { COMMAND } from '@hengtai/contract/gateway';
import { SIDE, SPOT, spotEventCan } from '@hengtai/contract/spot';
import type { FinishedCommand } from '../gateway/command.store.ts';
import type { EventHandlers } from '../gateway/events.ts';
import { mustFindUser } from '../gateway/lookup.store.ts';
import { type EventCtx, reject } from '../gateway/rejected.ts';
import { freezeSoon, postSoon, releaseSoon } from '../ledger/gather.ts';
import { unfreezeLeg } from '../ledger/hold.ts';
import { maySell } from '../user/user.rules.ts';
import { recordNotification } from '../notify/notification.store.ts';
import { effectOf, fillLegs, finerThan, findFormError, frozenAtFirst, holdOwner, isNothing } from './spot.rules.ts';
import {
  type EventOrder,
  endOrder,
  fillOrder,
  findSpotMarket,
  insertOrder,
  isKnownTrade,
  outsideLimits,
  returnOrder,
  settleCancels,
  takeOrder,
} from './spot.store.ts';

type SpotEvent = 'order.placed' | 'order.filled' | 'order.cancelled';

export const spotEvents: EventHandlers<SpotEvent> = {
  'order.placed': place,
  'order.filled': fill,

  /** The rest of what it froze is released, whether the user, the engine or an operator asked for it. */
  'order.cancelled': async (ctx, data) => {
    const order = await mustTake(ctx, data.no);
    const { db, at, now } = ctx;
    if (!(spotEventCan.cancelled as readonly number[]).includes(order.state)) throw reject('state');
    if (!(await endOrder(db, order, now))) throw reject('state');
    if (!isNothing(order.frozen)) {
      const owner = holdOwner(order);
      await releaseSoon(db, headOf(order, ctx), owner, order.frozen, [unfreezeLeg(owner, order.frozen)]);
    }
    if (order.state !== SPOT.cancelling) return;
    await settleCancels(db, order.id, COMMAND.done, '', now);
    await recordNotification(db, { type: 'trade.cancelled', ...about(order), at, now });
  },
};

async function place({ db, at, now }: EventCtx, data: EventData['order.placed']): Promise<void> {
  const trader = await mustFindUser(db, data.account);
  const market = await findSpotMarket(db, data.market);
  const asked = {
    side: data.side,
    type: data.type,
    price: data.price ?? null,
    amount: data.amount ?? null,
    funds: data.funds ?? null,
  };
  const fault =
    findFormError(asked) ?? finerThan(asked, { price: market.pricePrecision, amount: market.amountPrecision });
  if (fault !== undefined) throw reject('invalid', fault);
  if (trader.state !== 1) throw reject('frozen');
  if (trader.trade !== 1) throw reject('forbidden');
  if (asked.side === SIDE.sell && !maySell(trader, market)) throw reject('forbidden');
  if (market.spot !== 1 || market.state !== 1 || market.id === market.usdtId) throw reject('closed');
  if (market.halted) throw reject('halted');
  const outside = outsideLimits(market, asked.amount);
  if (outside) throw reject(outside);
  const frozen = frozenAtFirst(asked);
  const row = { no: data.no, userId: trader.id, agentId: trader.agentId, marketId: market.id, ...asked, frozen };
  const id = await insertOrder(db, { ...row, createdAt: at, now });
  await freezeSoon(db, { refType: 'trade', refId: id, at, now }, holdOwner({ ...row, usdtId: market.usdtId }), frozen);
}

async function fill(ctx: EventCtx, data: EventData['order.filled']): Promise<void> {
  const { db, at, now } = ctx;
  const order = await mustTake(ctx, data.no);
  const effect = await effectOrReject(ctx, order, data);
  await fillOrder(db, order, { ...data, ...effect, createdAt: at, now });
  const legs = fillLegs(order, data, effect);
  const head = headOf(order, ctx);
  if (isNothing(effect.taken)) {
    if (legs.length > 0) await postSoon(db, head, legs);
  } else await releaseSoon(db, head, holdOwner(order), effect.taken, legs);
  if (order.state !== SPOT.cancelling || effect.state !== SPOT.filled) return;
  await settleCancels(db, order.id, COMMAND.failed, '委托已全部成交', now);
  await recordNotification(db, { type: 'trade.cancelFailed', ...about(order), detail: '委托已全部成交', at, now });
}

/** A trade that is known already is said to be known, whatever else is wrong with it. */
async function effectOrReject({ db }: EventCtx, order: EventOrder, data: EventData['order.filled']) {
  try {
    if (!(spotEventCan.filled as readonly number[]).includes(order.state)) throw reject('state');
    return effectOf(order, data);
  } catch (error) {
    throw (await isKnownTrade(db, data.tradeNo)) ? reject('exists') : error;
  }
}

async function mustTake({ db }: EventCtx, no: string): Promise<EventOrder> {
  const order = await takeOrder(db, no);
  if (!order) throw reject('unknown', 'no');
  return order;
}

const headOf = (order: EventOrder, { at, now }: EventCtx) => ({ refType: 'trade', refId: order.id, at, now });
const about = ({ id, userId, agentId }: EventOrder) => ({ refType: 'trade', refId: id, userId, agentId });

/** The engine did not cancel: the order goes on as it was. What it did do, its events tell. */
export async function answerCancel(
  db: EventCtx['db'],
  command: FinishedCommand,
  answer: 'done' | 'failed' | 'unknown',
  reason: string,
  now: number,
): Promise<void> {
  if (answer !== 'failed') return;
  const order = await returnOrder(db, command.refId, command.id, now);
  if (!order) return;
  const whose = { refType: 'trade', refId: command.refId, userId: order.userId, agentId: order.agentId };
  await recordNotification(db, { type: 'trade.cancelFailed', ...whose, detail: reason, at: now, now });
}
