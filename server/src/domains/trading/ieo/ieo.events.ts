import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import type { EventData } from '@hengtai/contract/gateway/events.schema';
import { ieoActionStates } from '@hengtai/contract/trading/ieo/calls';
import { IEO } from '@hengtai/contract/trading/ieo/facts';
import { ENTRY, SETTLEMENT } from '@hengtai/contract/values/money';
import { closeApprovals, lockApprovals } from '../../../actions/approval-end.store.ts';
import type { EventCtx } from '../../../gateway/event-batch.ts';
import type { EventHandlers } from '../../../gateway/handlers.ts';
import { isListed, isFrozen, isLive, mustFindCoin, mustFindUser } from '../../../gateway/lookup.store.ts';
import { reject, rejectField } from '../../../gateway/rejected.ts';
import { type IeoMoney, holdOwner, importedLegs, computePay, refundLegs } from './ieo.rules.ts';
import { findIeoByNo, insertIeo, moveIeo } from './ieo.store.ts';

type IeoEvent = 'ieo.ordered' | 'ieo.cancelled' | 'ieo.imported';

export const ieoEvents: EventHandlers<IeoEvent> = {
  'ieo.ordered': async (ctx, data) => {
    const { batch, db, at, now } = ctx;
    const { user, market, money } = await resolveOrder(ctx, data);
    if (isFrozen(user)) throw reject('frozen');
    if (user.ieoBuy !== 1) throw reject('subscribing');
    if (market.ieo !== 1 || !isListed(market)) throw reject('closed');
    const { no, price } = data;
    const id = await insertIeo(db, { no, ...money, price, state: IEO.waiting, createdAt: at, now });
    if (id === undefined) throw reject('exists');
    const head = { refType: 'ieo', refId: id, at, now };
    await batch.freeze(head, holdOwner(money), money.pay, ENTRY.subscriptionFreeze);
  },

  /** Cancelled by the user: open approvals about it expire. */
  'ieo.cancelled': async ({ batch, db, at, now }, { no }) => {
    const row = await findIeoByNo(db, no);
    if (!row || !(await batch.owns(row.userId))) throw reject('unknown', 'no');
    const target = { type: 'ieo', id: row.id };
    await lockApprovals(db, target);
    if (!(await moveIeo(db, row.id, { from: ieoActionStates.pass, to: IEO.cancelled, at, now }))) throw reject('state');
    await closeApprovals(db, target, { state: APPROVAL.expired, answer: '用户已撤销', now });
    await batch.release({ refType: 'ieo', refId: row.id, at, now }, holdOwner(row), row.pay, refundLegs(row));
  },

  'ieo.imported': async (ctx, data) => {
    const { batch, db, at, now } = ctx;
    if (await isLive(batch)) throw reject('alreadyLive');
    const { money } = await resolveOrder(ctx, data);
    const { no, price, state, reason, by, reviewedAt, secondBy } = data;
    const decision = { state, reason, by, reviewedAt, secondBy, updatedAt: Math.min(reviewedAt ?? at, now) };
    const id = await insertIeo(db, { no, ...money, price, ...decision, createdAt: at, now });
    if (id === undefined) throw reject('exists');
    // Only passed subscriptions moved money; for the others the platform has released the hold long ago.
    if (data.booked !== true || state !== IEO.passed) return;
    await batch.post({ refType: 'ieo', refId: id, at, now }, importedLegs(money));
  },
};

/**
 * Resolves user and market and computes the cost.
 *
 * @throws Rejected for an unknown user or market, the settlement asset, or a cost that an amount cannot hold exactly
 */
async function resolveOrder({ batch }: EventCtx, data: EventData['ieo.ordered' | 'ieo.imported']) {
  const user = await mustFindUser(batch, data.account);
  const market = await mustFindCoin(batch, data.market);
  const settlement = await mustFindCoin(batch, SETTLEMENT);
  const pay = computePay(data.price, data.amount);
  if (pay === undefined) throw rejectField('amount', 'price times amount that needs no rounding');
  if (market.id === settlement.id) throw rejectField('market', 'another market than USDT');
  const money: IeoMoney = {
    userId: user.id,
    agentId: user.agentId,
    marketId: market.id,
    amount: data.amount,
    payMarketId: settlement.id,
    pay,
  };
  return { user, market, money };
}
