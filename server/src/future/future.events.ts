import { CLOSE_TYPE, FUTURE, futureEventCan } from '@hengtai/contract/future';
import { COMMAND } from '@hengtai/contract/gateway';
import type { EventData } from '@hengtai/contract/gateway.schema';
import { ENTRY } from '@hengtai/contract/money';
import { ORDER_TYPE } from '@hengtai/contract/spot';
import type { FinishedCommand } from '../gateway/command.store.ts';
import type { EventHandlers } from '../gateway/events.ts';
import { mustFindUser } from '../gateway/lookup.store.ts';
import { type EventCtx, reject } from '../gateway/rejected.ts';
import { freezeMoreSoon, freezeSoon, lockBalancesSoon, postSoon, releaseSoon } from '../ledger/gather.ts';
import { unfreezeLeg } from '../ledger/hold.ts';
import type { Leg } from '../ledger/post.ts';
import { recordNotification } from '../notify/notification.store.ts';
import { finerThan } from '../spot/spot.rules.ts';
import { outsideLimits } from '../spot/spot.store.ts';
import {
  type Borne,
  type CloseAsked,
  type Position,
  borneBy,
  chargeLegs,
  closeEffect,
  closeLegs,
  fundingLegs,
  holdOwner,
  isLess,
  isNothing,
  isWorse,
  lessBy,
  negated,
  restOf,
  timesOf,
  touched,
} from './future.rules.ts';
import {
  changePosition,
  findFutureMarket,
  insertClose,
  insertFunding,
  insertPosition,
  isKnownClose,
  isKnownFunding,
  returnPosition,
  settleCommands,
  takePosition,
  takePositions,
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

async function place({ db, at, now }: EventCtx, data: EventData['position.placed']): Promise<void> {
  const trader = await mustFindUser(db, data.account);
  const market = await findFutureMarket(db, data.market);
  const { side, type, demo, leverage, amount, margin } = data;
  const price = data.price ?? null;
  if ((price !== null) !== (type === ORDER_TYPE.limit)) throw reject('invalid', 'price');
  const fault = finerThan({ price, amount }, { price: market.pricePrecision, amount: market.amountPrecision });
  if (fault !== undefined) throw reject('invalid', fault);
  if (leverage > market.maxLeverage) throw reject('invalid', 'leverage');
  if (trader.state !== 1) throw reject('frozen');
  if (trader.trade !== 1) throw reject('forbidden');
  if (market.future !== 1 || market.state !== 1 || market.id === market.usdtId) throw reject('closed');
  if (market.halted) throw reject('halted');
  const outside = outsideLimits(market, amount);
  if (outside) throw reject(outside);
  const whose = { userId: trader.id, agentId: trader.agentId, usdtId: market.usdtId };
  const row = { no: data.no, ...whose, marketId: market.id, demo, side, type, leverage, price, amount, margin };
  const id = await insertPosition(db, { ...row, createdAt: at, now });
  if (demo === 1) return;
  await freezeSoon(db, { refType: 'future', refId: id, at, now }, holdOwner(whose), margin, ENTRY.margin);
}

async function open(ctx: EventCtx, { no, price, fee }: EventData['position.opened']): Promise<void> {
  const { db, at, now } = ctx;
  const position = await mustTake(ctx, no, 'opened');
  if (isWorse(position, price)) throw reject('price');
  const paid = await charge(ctx, position, fee);
  const add = { fee, insured: paid.insured };
  const held = lessBy(position.held, paid.margin);
  await changePosition(db, position, { state: FUTURE.open, openPrice: price, openedAt: at, held, add }, now);
  await move(ctx, position, paid.margin, chargeLegs(position, paid, 'fee', ENTRY.fee));
  if (position.state === FUTURE.cancelling) await tooLate(ctx, position, '委托已成交', 'future.cancelFailed');
}

async function change(ctx: EventCtx, data: EventData['position.changed']): Promise<void> {
  const { db, now } = ctx;
  const position = await mustTake(ctx, data.no, 'changed');
  const margin = data.margin ?? position.held;
  const add = { margin: lessBy(margin, position.held) };
  const orNone = (price: string | undefined) => (price !== undefined && isNothing(price) ? null : price);
  const [takeProfit, stopLoss] = [orNone(data.takeProfit), orNone(data.stopLoss)];
  await changePosition(db, position, { held: margin, takeProfit, stopLoss, add }, now);
  if (position.demo === 1 || isNothing(add.margin)) return;
  const owner = holdOwner(position);
  const head = headOf(position, ctx);
  if (isLess(position.held, margin)) await freezeMoreSoon(db, head, owner, add.margin, ENTRY.margin);
  else {
    const back = negated(add.margin);
    await releaseSoon(db, head, owner, back, [unfreezeLeg(owner, back, ENTRY.margin)]);
  }
}

async function close(
  ctx: EventCtx,
  data: Omit<CloseAsked, 'amount'> & { no: string; closeNo: string; amount?: string },
): Promise<void> {
  const { db, at, now } = ctx;
  const liquidation = data.closeType === CLOSE_TYPE.liquidation;
  const known = async () => isKnownClose(db, data.closeNo);
  const position = await mustTake(ctx, data.no, liquidation ? 'liquidated' : 'closed', known);
  const asked = { ...data, amount: data.amount ?? restOf(position) };
  if (isLess(restOf(position), asked.amount)) throw (await known()) ? reject('exists') : reject('beyond');
  const effect = closeEffect(position, asked, await freeOf(ctx, position, asked.fee));
  const insured = lessBy(effect.loss.insured, negated(effect.fee.insured));
  await insertClose(db, position, { ...asked, ...effect, fee: asked.fee, insured, at, now });
  const { state, held, closing } = effect;
  const over = state === FUTURE.closed || state === FUTURE.liquidated;
  const add = {
    closeAmount: asked.amount,
    closeValue: timesOf(asked.amount, asked.price),
    realized: effect.realized,
    fee: asked.fee,
    insured,
  };
  await changePosition(
    db,
    position,
    { state, held, closing, closeType: asked.closeType, add, ...(over && { endedAt: at }) },
    now,
  );
  await move(ctx, position, effect.taken, closeLegs(position, effect, asked.closeType));
  if (liquidation) await recordNotification(db, { type: 'future.liquidated', ...about(position), at, now });
  if (position.state !== FUTURE.closing || state === FUTURE.closing) return;
  if (asked.closeType === CLOSE_TYPE.operator) {
    await settleCommands(db, position.id, COMMAND.done, '', now);
    await recordNotification(db, { type: 'future.closed', ...about(position), at, now });
  } else await tooLate(ctx, position, liquidation ? '仓位已强平' : '仓位已全部平掉', 'future.closeFailed');
}

/** The margin is released, whether the user, the engine or an operator asked for it. */
async function cancel(ctx: EventCtx, { no }: EventData['position.cancelled']): Promise<void> {
  const { db, at, now } = ctx;
  const position = await mustTake(ctx, no, 'cancelled');
  await changePosition(db, position, { state: FUTURE.cancelled, held: '0', endedAt: at }, now);
  await move(ctx, position, position.held, [unfreezeLeg(holdOwner(position), position.held, ENTRY.margin)]);
  if (position.state !== FUTURE.cancelling) return;
  await settleCommands(db, position.id, COMMAND.done, '', now);
  await recordNotification(db, { type: 'future.cancelled', ...about(position), at, now });
}

async function pay(ctx: EventCtx, { no, position: positionNo, amount }: EventData['funding.paid']): Promise<void> {
  const { db, at, now } = ctx;
  const known = async () => isKnownFunding(db, no);
  const position = await mustTake(ctx, positionNo, 'funding', known, 'position');
  const paid = isLess(amount, '0') ? await charge(ctx, position, negated(amount)) : undefined;
  const [fromMargin, insured] = [paid?.margin ?? '0', paid?.insured ?? '0'];
  await insertFunding(db, position, { no, amount, fromMargin, insured, at, now });
  const held = lessBy(position.held, fromMargin);
  await changePosition(db, position, { held, add: { funding: amount, insured } }, now);
  const legs = paid ? chargeLegs(position, paid, 'trading', ENTRY.funding) : fundingLegs(position, amount);
  await move(ctx, position, fromMargin, legs);
}

/** Events of which a charge or a loss may be borne by what the user has free. */
const charging: readonly string[] = ['position.closed', 'position.liquidated', 'funding.paid'];

/**
 * Reads and holds the positions that events of a group name; of those that may be charged the accounts as well, all in one
 * order.
 */
export async function prefetchPositions(
  db: EventCtx['db'],
  named: readonly { no: string; type: string }[],
  now: number,
): Promise<void> {
  const positions = await takePositions(
    db,
    named.map(({ no }) => no),
  );
  const charged = new Set(named.filter(({ type }) => charging.includes(type)).map(({ no }) => no));
  const accounts = positions.filter(({ no, demo }) => demo === 0 && charged.has(no)).flatMap(touched);
  if (accounts.length > 0) await lockBalancesSoon(db, accounts, now);
}

/**
 * The position of an event, if it stands where the event can be.
 *
 * @param known whether the event's own number is known already: then that is said, whatever else is wrong with it
 */
async function mustTake(
  { db }: EventCtx,
  no: string,
  event: keyof typeof futureEventCan,
  known?: () => Promise<boolean>,
  field = 'no',
): Promise<Position> {
  const position = await takePosition(db, no);
  const stands = position !== undefined && (futureEventCan[event] as readonly number[]).includes(position.state);
  if (!stands && (await known?.())) throw reject('exists');
  if (!position) throw reject('unknown', field);
  if (!stands) throw reject('state');
  return position;
}

/** What the user has free on the futures account, locked; a demo one pays out of thin air. */
async function freeOf({ db, now }: EventCtx, position: Position, charged: string): Promise<string> {
  if (position.demo === 1) return charged;
  const [active] = await lockBalancesSoon(db, touched(position), now);
  return active ?? '0';
}

async function charge(ctx: EventCtx, position: Position, amount: string): Promise<Borne> {
  if (isNothing(amount)) return { active: '0', margin: '0', insured: '0' };
  return borneBy(amount, await freeOf(ctx, position, amount), position.held);
}

/** Posts what moves, where there is money at all; `taken` leaves what the position holds. */
async function move(ctx: EventCtx, position: Position, taken: string, legs: readonly Leg[]): Promise<void> {
  if (position.demo === 1) return;
  const moved = legs.filter(({ amount }) => !isNothing(amount));
  if (moved.length === 0) return;
  const head = headOf(position, ctx);
  if (isNothing(taken)) await postSoon(ctx.db, head, moved);
  else await releaseSoon(ctx.db, head, holdOwner(position), taken, moved);
}

/** What an operator ordered came after what happened. */
async function tooLate(
  { db, at, now }: EventCtx,
  position: Position,
  detail: string,
  type: 'future.cancelFailed' | 'future.closeFailed',
): Promise<void> {
  await settleCommands(db, position.id, COMMAND.failed, detail, now);
  await recordNotification(db, { type, ...about(position), detail, at, now });
}

const headOf = ({ id }: Position, { at, now }: EventCtx) => ({ refType: 'future', refId: id, at, now });
const about = ({ id, userId, agentId }: Position) => ({ refType: 'future', refId: id, userId, agentId });

/** The engine did not do it: the position goes on as it was. What the engine did do, its events tell. */
export async function answerPosition(
  db: EventCtx['db'],
  command: FinishedCommand,
  answer: 'done' | 'failed' | 'unknown',
  reason: string,
  now: number,
): Promise<void> {
  if (answer !== 'failed') return;
  const position = await returnPosition(db, command.refId, command.id, now);
  if (!position) return;
  const { userId, agentId } = position;
  const type = command.type === 'position.cancel' ? 'future.cancelFailed' : 'future.closeFailed';
  await recordNotification(db, {
    type,
    refType: 'future',
    refId: command.refId,
    userId,
    agentId,
    detail: reason,
    at: now,
    now,
  });
}
