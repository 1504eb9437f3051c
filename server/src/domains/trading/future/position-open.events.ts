import { FUTURE } from '@hengtai/contract/trading/future/facts';
import type { EventData } from '@hengtai/contract/gateway/events.schema';
import { ENTRY } from '@hengtai/contract/values/money';
import type { EventCtx } from '../../../gateway/event-batch.ts';
import { reject } from '../../../gateway/rejected.ts';
import { type Position, chargeLegs, holdOwner, isBeyondLimit, isZero, subtract } from './future.rules.ts';
import { type OpeningEffect, compareFigure, computeIncrease, computeOpening, isPending } from './opening.rules.ts';
import { charge, failCommands, headOf, mustLock, postLegs } from './position-money.ts';
import { changePosition, insertOpening, isKnownOpening, recordFirstOpening } from './position.store.ts';

/** Opens an order, as a whole or in parts. */
export async function open(ctx: EventCtx, data: EventData['position.opened']): Promise<void> {
  const position = await mustLock(ctx, data.no, 'opened');
  if (!isPending(position) && isZero(position.unopened)) throw reject('state');
  if (isBeyondLimit(position, data.price)) throw reject('beyondLimit');
  const effect = computeOpening(position, data.price, data.amount);
  compareFigure('entryPrice', data.entryPrice, effect.openPrice);
  await writeOpening(ctx, position, effect, data.fee);
  if (position.state !== FUTURE.cancelling) return;
  await failCommands(ctx, position, isZero(effect.unopened) ? '委托已成交' : '委托已部分成交', 'future.cancelFailed');
}

/** Adds to an open position, and its margin to the hold. */
export async function increase(ctx: EventCtx, data: EventData['position.increased']): Promise<void> {
  const { batch, db } = ctx;
  const isDuplicate = async () => isKnownOpening(db, data.tradeNo);
  const position = await mustLock(ctx, data.no, 'increased', isDuplicate);
  if (await isDuplicate()) throw reject('exists');
  const effect = computeIncrease(position, data);
  compareFigure('entryPrice', data.entryPrice, effect.openPrice);
  if (position.parts === 0) await recordFirstOpening(db, position);
  if (position.demo === 0 && !isZero(data.margin))
    await batch.freezeMore(headOf(position, ctx), holdOwner(position), data.margin, ENTRY.margin);
  await writeOpening(ctx, position, effect, data.fee, { tradeNo: data.tradeNo, margin: data.margin });
}

/** Writes an opening and charges its fee: from free money, then from the margin of the position, then from insurance. */
async function writeOpening(
  ctx: EventCtx,
  position: Position,
  effect: OpeningEffect,
  fee: string,
  increased?: { tradeNo: string; margin: string },
): Promise<void> {
  const { batch, at, now } = ctx;
  const paid = await charge(ctx, { ...position, held: effect.held }, fee);
  const isPart = increased !== undefined || position.parts > 0 || !isZero(effect.unopened);
  const parts = increased === undefined ? position.parts + 1 : Math.max(position.parts, 1) + 1;
  const { amount, price, margin, opened, openPrice, unopened, pendingMargin } = effect;
  const change = {
    ...(isPending(position) && { state: FUTURE.open, openedAt: at }),
    ...(isPart && { parts, amount: opened, unopened, pendingMargin }),
    openPrice,
    held: subtract(effect.held, paid.margin),
    add: { fee, insured: paid.insured, ...(increased && { margin: increased.margin }) },
  };
  await changePosition(batch, position, change, now);
  if (isPart)
    await insertOpening(batch, {
      id: position.id,
      tradeNo: increased?.tradeNo ?? null,
      amount,
      price,
      margin,
      fee,
      at,
      now,
    });
  await postLegs(ctx, position, paid.margin, chargeLegs(position, paid, 'fee', ENTRY.fee));
}
