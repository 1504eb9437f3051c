import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import type { EventData } from '@hengtai/contract/gateway/events.schema';
import { PLATFORM } from '@hengtai/contract/values/money';
import { REFUSE_FORMAT, withdrawEventStates } from '@hengtai/contract/funds/withdraw/calls';
import { WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import { Decimal } from '@hengtai/contract/values/decimal';
import { cleanDestination, makeKeys, onListed } from '../../../destination/keys.ts';
import { raiseAlarm } from '../../house/alarm/alarm.store.ts';
import { closeApprovals, lockApprovals } from '../../../actions/approval-end.store.ts';
import type { EventCtx } from '../../../gateway/event-batch.ts';
import type { AnswerHandler, EventHandlers } from '../../../gateway/handlers.ts';
import { findWaitingPrice } from '../../trading/market/tick.store.ts';
import {
  isFrozen,
  isListed,
  isLive,
  mustFindCoin,
  mustFindUser,
  mustTakeUser,
  isNetworkOpen,
  takeNetworks,
} from '../../../gateway/lookup.store.ts';
import { isSettingOn } from '../../../app/setting.store.ts';
import { settlePayouts } from '../../../gateway/payout.store.ts';
import { reject, rejectField } from '../../../gateway/rejected.ts';
import type { Leg } from '../../../books/ledger/post.ts';
import { judgeBySteps } from './payout-step.store.ts';
import { type WithdrawRecord, holdOwner, importedLegs, paidLegs, rejectedLegs } from './withdraw.rules.ts';
import { findWithdrawByNo, moveAttempt, moveWithdraw, newWithdraws } from './withdraw.store.ts';

type WithdrawEvent =
  | 'withdraw.imported'
  | 'withdraw.requested'
  | 'withdraw.cancelled'
  | 'withdraw.paying'
  | 'withdraw.paid'
  | 'withdraw.failed'
  | 'withdraw.unknown';

export const withdrawEvents: EventHandlers<WithdrawEvent> = {
  'withdraw.requested': request,

  'withdraw.imported': async ({ batch, at, now }, data) => {
    if (await isLive(batch)) throw reject('alreadyLive');
    const user = await mustFindUser(batch, data.account);
    const market = await mustFindCoin(batch, data.market);
    const { no, network, address, amount, fee, state, memo = '', txHash, reason, by, reviewedAt, secondBy } = data;
    if (new Decimal(fee).gte(amount)) throw reject('fee');
    const owner = { userId: user.id, agentId: user.agentId, marketId: market.id };
    const decision = { txHash, reason, by, reviewedAt, secondBy };
    const keys = makeKeys(await takeNetworks(batch, market), { network, address, memo });
    const row = { no, ...owner, network, address, memo, ...keys, amount, fee, state, ...decision, createdAt: at, now };
    const id = await batch.insertWithId(newWithdraws, {
      ...row,
      price: await findWaitingPrice(batch, market),
      updatedAt: Math.min(reviewedAt ?? at, now),
    });
    // Only a paid withdrawal moved money; the others released their frozen amount before the import.
    if (data.booked !== true || state !== WITHDRAW.paid) return;
    const received = new Decimal(amount).minus(fee).toFixed();
    const money = { id, userId: user.id, agentId: user.agentId, marketId: market.id, amount, fee, received };
    await batch.post({ refType: 'withdraw', refId: id, at, now }, importedLegs(money));
  },

  'withdraw.cancelled': async (ctx, data) => {
    const row = await mustFind(ctx, data.no);
    await lockOpenApprovals(ctx, row);
    await moveOrReject(ctx, row, 'cancelled', WITHDRAW.cancelled);
    await expireApprovals(ctx, row, '用户已撤销');
    await releaseHold(ctx, row, rejectedLegs(row));
  },

  'withdraw.paying': async (ctx, data) => {
    const row = await mustFind(ctx, data.no);
    await settlePayouts(ctx.db, row.id, true, ctx.now);
    await moveOrReject(ctx, row, 'paying', WITHDRAW.paying, { txHash: data.txHash });
  },

  // A payment overrides an earlier report of failure. After a refund only a person can decide, so it raises an alarm.
  'withdraw.paid': async (ctx, data) => {
    const row = await mustFind(ctx, data.no);
    await lockOpenApprovals(ctx, row);
    await settlePayouts(ctx.db, row.id, true, ctx.now);
    const paid = { from: withdrawEventStates.paid, to: WITHDRAW.paid, at: ctx.at, now: ctx.now, txHash: data.txHash };
    if (!(await moveWithdraw(ctx.db, row.id, paid))) {
      // Read again, because a concurrent refund may have committed since the first read.
      if ((await mustFind(ctx, data.no)).state !== WITHDRAW.refunded) throw reject('state');
      return alarmPaidTwice(ctx, row, data.txHash);
    }
    await expireApprovals(ctx, row, '钱包已确认打款');
    await releaseHold(ctx, row, paidLegs(row));
  },

  'withdraw.failed': async (ctx, data) => {
    const row = await mustFind(ctx, data.no);
    await lockOpenApprovals(ctx, row);
    await settlePayouts(ctx.db, row.id, false, ctx.now);
    await moveOrReject(ctx, row, 'failed', WITHDRAW.failed, { reason: data.reason });
    await expireApprovals(ctx, row, '钱包已确认打款失败');
  },

  'withdraw.unknown': async (ctx, data) => {
    const row = await mustFind(ctx, data.no);
    await moveOrReject(ctx, row, 'unknown', WITHDRAW.unknown, { reason: data.reason });
  },
};

async function request(ctx: EventCtx, data: EventData['withdraw.requested']): Promise<void> {
  const { batch, at, now } = ctx;
  const { address, memo } = cleanDestination({ address: data.address, memo: data.memo ?? '' }, rejectField);
  const user = await mustTakeUser(batch, data.account);
  const market = await mustFindCoin(batch, data.market);
  if (isFrozen(user)) throw reject('frozen');
  const isOpen = market.withdrawState === 1 && isListed(market) && isNetworkOpen(market, data.network, 'withdraw');
  if (!isOpen) throw reject('closed');
  const { no, network, amount, fee } = data;
  const networks = await takeNetworks(batch, market);
  const keys = makeKeys(networks, { network, address, memo });
  if (keys.addressFaults !== '' && (await batch.once(REFUSE_FORMAT, () => isSettingOn(ctx.db, REFUSE_FORMAT))))
    throw rejectField('address', `text without the faults ${keys.addressFaults.replaceAll(',', ' and ')}`);
  const record = await judgeBySteps(ctx, { user, market, data });
  const owner = { userId: user.id, agentId: user.agentId, marketId: market.id };
  const holdOf = { user, marketId: market.id, platform: PLATFORM.fund };
  const texts = { network, address, memo, ...keys };
  const row = { no, ...owner, ...texts, amount, fee, state: WITHDRAW.review, createdAt: at, now };
  const id = await batch.insertWithId(newWithdraws, {
    ...row,
    price: await findWaitingPrice(batch, market),
    waiting: batch.sumWaiting(holdOf),
    payee: onListed(networks, { network, address, memo }),
  });
  await record(id);
  await batch.freeze({ refType: 'withdraw', refId: id, at, now }, holdOf, amount);
}

async function mustFind({ batch, db }: EventCtx, no: string): Promise<WithdrawRecord> {
  const row = await findWithdrawByNo(db, no);
  if (!row || !(await batch.owns(row.userId))) throw reject('unknown', 'no');
  return row;
}

async function moveOrReject(
  { db, at, now }: EventCtx,
  row: WithdrawRecord,
  event: keyof typeof withdrawEventStates,
  to: number,
  fields: { txHash?: string | undefined; reason?: string | undefined } = {},
): Promise<void> {
  if (!(await moveWithdraw(db, row.id, { from: withdrawEventStates[event], to, at, now, ...fields })))
    throw reject('state');
}

/** Every transaction locks in the order approvals, payouts, withdrawal, to avoid deadlocks. */
const lockOpenApprovals = ({ db }: EventCtx, row: WithdrawRecord): Promise<void> =>
  lockApprovals(db, { type: 'withdraw', id: row.id });

/** Open approvals expire, because the event has decided the withdrawal. */
const expireApprovals = ({ db, now }: EventCtx, row: WithdrawRecord, answer: string): Promise<void> =>
  closeApprovals(db, { type: 'withdraw', id: row.id }, { state: APPROVAL.expired, answer, now });

async function releaseHold({ batch, at, now }: EventCtx, row: WithdrawRecord, legs: readonly Leg[]): Promise<void> {
  await batch.release({ refType: 'withdraw', refId: row.id, at, now }, holdOwner(row), row.amount, legs);
}

async function alarmPaidTwice({ db, now }: EventCtx, row: WithdrawRecord, txHash: string): Promise<void> {
  const detail = { txHash, amount: row.received, market: row.marketName };
  const alarm = { refType: 'withdraw', refId: row.id, agentId: row.agentId, userId: row.userId };
  await raiseAlarm(db, { kind: 'withdraw.paidAfterRefund', ...alarm, detail, now });
}

/** Moves a withdrawal after the wallet's answer to a payout or after its timeout. Ignores answers to older attempts. */
export const answerPayout: AnswerHandler = async (db, command, answer, reason, now) => {
  const to = { done: WITHDRAW.paying, failed: WITHDRAW.failed, unknown: WITHDRAW.unknown }[answer];
  const data = command.data as { attempt: number };
  const reasonField = answer === 'done' || reason === '' ? {} : { reason };
  await moveAttempt(db, command.refId, data.attempt, { from: [WITHDRAW.queued], to, now, ...reasonField });
};
