import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import type { EventData } from '@hengtai/contract/gateway/events.schema';
import { PLATFORM } from '@hengtai/contract/values/money';
import { REFUSE_FORMAT, withdrawEventStates } from '@hengtai/contract/funds/withdraw/calls';
import { WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import { Decimal } from '@hengtai/contract/values/decimal';
import { cleanDestination, makeKeys, onListed } from '../../../destination/keys.ts';
import { raiseAlarm } from '../../house/alarm/alarm.store.ts';
import { bookFee } from '../../../gateway/chain-fee.ts';
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
import { keyIdOf } from '../../../gateway/platform-scope.ts';
import { settlePayouts, withdrawPayout } from '../../../gateway/payout.store.ts';
import { reject, rejectField } from '../../../gateway/rejected.ts';
import type { Leg } from '../../../books/ledger/post.ts';
import {
  type HeardWithdraw,
  type Said,
  alarmUnexpected,
  hear,
  keep,
  requireAttempt,
} from './payout-statement.steps.ts';
import { type StatementType, lockWithdraw } from './payout-statement.store.ts';
import { judgeBySteps } from './payout-step.store.ts';
import { type WithdrawRecord, holdOwner, importedLegs, paidLegs, rejectedLegs } from './withdraw.rules.ts';
import { findWithdrawByNo, moveAttempt, moveWithdraw, newWithdraws } from './withdraw.store.ts';

/** Why a payout is withdrawn that nobody was given yet. */
const PAID_BEFORE = '前一次打款已到账';

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
    if ((await lockWithdraw(ctx.db, row.id)).isUnexplained) throw reject('state');
    await moveOrReject(ctx, row, 'cancelled', WITHDRAW.cancelled);
    await expireApprovals(ctx, row, '用户已撤销');
    await releaseHold(ctx, row, rejectedLegs(row));
  },

  'withdraw.paying': async (ctx, data) => {
    const { row, isEarlier } = await hearOf(ctx, 'paying', data);
    if (isEarlier) return;
    await settlePayouts(ctx.db, row.id, true, ctx.now);
    await moveOrReject(ctx, row, 'paying', WITHDRAW.paying, { txHash: data.txHash });
  },

  'withdraw.paid': pay,

  'withdraw.failed': async (ctx, data) => {
    const { row, isEarlier } = await hearOf(ctx, 'failed', data);
    if (isEarlier) return;
    await settlePayouts(ctx.db, row.id, false, ctx.now);
    await moveOrReject(ctx, row, 'failed', WITHDRAW.failed, { reason: data.reason });
    await expireApprovals(ctx, row, '钱包已确认打款失败');
  },

  'withdraw.unknown': async (ctx, data) => {
    const { row, isEarlier } = await hearOf(ctx, 'unknown', data);
    if (isEarlier) return;
    await moveOrReject(ctx, row, 'unknown', WITHDRAW.unknown, { reason: data.reason });
  },
};

/** Every transaction locks in the order approvals, payouts, withdrawal, to avoid deadlocks. */
async function findHeard(ctx: EventCtx, said: Said): Promise<{ row: WithdrawRecord; heard: HeardWithdraw }> {
  const row = await mustFind(ctx, said.no);
  await lockOpenApprovals(ctx, row);
  const heard = await hear(ctx.db, row.id, said);
  requireAttempt(heard);
  return { row, heard };
}

/** What is said about an attempt before the last one changes nothing and is kept. */
async function hearOf(
  ctx: EventCtx,
  type: StatementType,
  said: Said,
): Promise<{ row: WithdrawRecord; isEarlier: boolean }> {
  const { row, heard } = await findHeard(ctx, said);
  const { meant, isEarlier } = heard;
  if (isEarlier) await keep(ctx, row, { ...said, type, meant, effect: 'none' });
  return { row, isEarlier };
}

/**
 * A payment overrides an earlier report of failure, also that of an attempt before the last one. After a refund only a person
 * can decide, so it raises an alarm.
 */
async function pay(ctx: EventCtx, data: EventData['withdraw.paid']): Promise<void> {
  const { row, heard } = await findHeard(ctx, data);
  const { state, meant } = heard;
  const said = { ...data, type: 'paid', meant } as const;
  if (state === WITHDRAW.refunded) {
    await bookPaidFee(ctx, row, data);
    if (await keep(ctx, row, { ...said, effect: 'unexpected' })) await alarmPaidAfterRefund(ctx, row, said);
    return;
  }
  if (!(withdrawEventStates.paid as readonly number[]).includes(state)) throw reject('state');
  const { now } = ctx;
  const isLast = !heard.isEarlier || (await endLastPayout(ctx, row, heard));
  await settlePayouts(ctx.db, row.id, true, now);
  await moveOrReject(ctx, row, 'paid', WITHDRAW.paid, { txHash: data.txHash });
  await keep(ctx, row, { ...said, effect: 'applied' });
  await bookPaidFee(ctx, row, data);
  if (!isLast) {
    const { attempt } = heard;
    const detail = { attempt, command: '已交给钱包' };
    const occurrence = { key: `handed over ${attempt}`, detail, keyId: keyIdOf(ctx.batch.scope) };
    await alarmUnexpected(ctx.db, row, { recorded: data.txHash, occurrence, now });
  }
  await expireApprovals(ctx, row, '钱包已确认打款');
  await releaseHold(ctx, row, paidLegs(row));
}

/** The first that states the fee of a transaction counts, whether this or a move. */
const bookPaidFee = (
  ctx: EventCtx,
  { id, userId, network, marketName }: WithdrawRecord,
  { txHash, chainFee = '0', feeMarket = marketName }: EventData['withdraw.paid'],
): Promise<void> =>
  bookFee(ctx, { network, txHash, market: feeMarket, amount: chainFee, by: { withdrawId: id }, stripe: userId });

/**
 * Withdraws the last payout, because an earlier one was paid. False if the wallet may pay it as well: it was given the command, or
 * has spoken of it.
 */
async function endLastPayout(
  { db, now }: EventCtx,
  { id }: WithdrawRecord,
  { state }: HeardWithdraw,
): Promise<boolean> {
  const isWithdrawn = await withdrawPayout(db, id, PAID_BEFORE, now);
  return state === WITHDRAW.failed || (state === WITHDRAW.queued && isWithdrawn);
}

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
  { batch, db, at, now }: EventCtx,
  row: WithdrawRecord,
  event: keyof typeof withdrawEventStates,
  to: number,
  fields: { txHash?: string | undefined; reason?: string | undefined } = {},
): Promise<void> {
  const move = { from: withdrawEventStates[event], to, at, now, keyId: keyIdOf(batch.scope), ...fields };
  if (!(await moveWithdraw(db, row.id, move))) throw reject('state');
}

const lockOpenApprovals = ({ db }: EventCtx, row: WithdrawRecord): Promise<void> =>
  lockApprovals(db, { type: 'withdraw', id: row.id });

/** Open approvals expire, because the event has decided the withdrawal. */
const expireApprovals = ({ db, now }: EventCtx, row: WithdrawRecord, answer: string): Promise<void> =>
  closeApprovals(db, { type: 'withdraw', id: row.id }, { state: APPROVAL.expired, answer, now });

async function releaseHold({ batch, at, now }: EventCtx, row: WithdrawRecord, legs: readonly Leg[]): Promise<void> {
  await batch.release({ refType: 'withdraw', refId: row.id, at, now }, holdOwner(row), row.amount, legs);
}

/** The same alarm as long as it is open: a wallet may report several payments of one withdrawal. */
async function alarmPaidAfterRefund(
  { db, now }: EventCtx,
  row: WithdrawRecord,
  { meant: attempt, txHash }: { meant: number; txHash: string },
): Promise<void> {
  const detail = { txHash, amount: row.received, market: row.marketName };
  const alarm = { refType: 'withdraw', refId: row.id, agentId: row.agentId, userId: row.userId };
  const occurrence = { key: `${attempt} ${txHash}`, detail: { attempt, txHash } };
  await raiseAlarm(db, {
    kind: 'withdraw.paidAfterRefund',
    ...alarm,
    cause: `withdraw ${row.id}`,
    detail,
    occurrence,
    now,
  });
}

/** Moves a withdrawal after the wallet's answer to a payout or after its timeout. Ignores answers to older attempts. */
export const answerPayout: AnswerHandler = async (db, command, answer, reason, now, keyId) => {
  const to = { done: WITHDRAW.paying, failed: WITHDRAW.failed, unknown: WITHDRAW.unknown }[answer];
  const data = command.data as { attempt: number };
  const reasonField = answer === 'done' || reason === '' ? {} : { reason };
  await moveAttempt(db, command.refId, data.attempt, { from: [WITHDRAW.queued], to, now, keyId, ...reasonField });
};
