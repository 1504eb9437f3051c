import { APPROVAL } from '@hengtai/contract/approval';
import type { EventData } from '@hengtai/contract/gateway.schema';
import { WITHDRAW, withdrawEventCan } from '@hengtai/contract/withdraw';
import { Decimal } from '@hengtai/contract/decimal';
import { raiseAlarm } from '../alarm/alarm.store.ts';
import { closeApprovals, lockApprovals } from '../approval/approval.store.ts';
import type { FinishedCommand } from '../gateway/command.store.ts';
import type { EventHandlers } from '../gateway/events.ts';
import { writeSoon } from '../db/soon.ts';
import { isLive, mustFindMarket, mustFindUser, networkOpen } from '../gateway/lookup.store.ts';
import { settlePayouts } from '../gateway/payout.store.ts';
import { type EventCtx, reject } from '../gateway/rejected.ts';
import { freezeSoon, postSoon, releaseSoon, writeGatheredOf } from '../ledger/gather.ts';
import type { Leg } from '../ledger/post.ts';
import { findRisks } from './withdraw-risk.store.ts';
import { beyondLimits, holdOwner, importedLegs, paidLegs, rejectedLegs } from './withdraw.rules.ts';
import {
  type WithdrawRecord,
  findWithdrawByNo,
  insertWithdraw,
  moveAttempt,
  moveWithdraw,
  setRisk,
} from './withdraw.store.ts';

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

  'withdraw.imported': async ({ db, at, now }, data) => {
    if (await isLive(db)) throw reject('live');
    const user = await mustFindUser(db, data.account);
    const market = await mustFindMarket(db, data.market);
    const { no, network, address, amount, fee, state, memo = '', txHash, reason, by, reviewedAt, secondBy } = data;
    if (new Decimal(fee).gte(amount)) throw reject('fee');
    const whose = { userId: user.id, agentId: user.agentId, marketId: market.id };
    const decision = { txHash, reason, by, reviewedAt, secondBy };
    const row = { no, ...whose, network, address, memo, amount, fee, state, ...decision, createdAt: at, now };
    const id = await insertWithdraw(db, { ...row, updatedAt: Math.min(reviewedAt ?? at, now) });
    // Only what was paid has moved money; everything else was frozen and given back long ago.
    if (data.booked !== true || state !== WITHDRAW.paid) return;
    const received = new Decimal(amount).minus(fee).toFixed();
    const money = { id, userId: user.id, agentId: user.agentId, marketId: market.id, amount, fee, received };
    await postSoon(db, { refType: 'withdraw', refId: id, at, now }, importedLegs(money));
  },

  'withdraw.cancelled': async (ctx, data) => {
    const row = await mustFind(ctx, data.no);
    await hold(ctx, row);
    await moveOn(ctx, row, 'cancelled', WITHDRAW.cancelled);
    await giveUp(ctx, row, '用户已撤销');
    await take(ctx, row, rejectedLegs(row));
  },

  'withdraw.paying': async (ctx, data) => {
    const row = await mustFind(ctx, data.no);
    await settlePayouts(ctx.db, row.id, true, ctx.now);
    await moveOn(ctx, row, 'paying', WITHDRAW.paying, { txHash: data.txHash });
  },

  /** A payment that did happen wins over a failure that was reported before it; once refunded it needs a person. */
  'withdraw.paid': async (ctx, data) => {
    const row = await mustFind(ctx, data.no);
    await hold(ctx, row);
    await settlePayouts(ctx.db, row.id, true, ctx.now);
    const paid = { from: withdrawEventCan.paid, to: WITHDRAW.paid, at: ctx.at, now: ctx.now, txHash: data.txHash };
    if (!(await moveWithdraw(ctx.db, row.id, paid))) {
      // Looked at only now: the refund may have come in between.
      if ((await mustFind(ctx, data.no)).state !== WITHDRAW.refunded) throw reject('state');
      return alarmPaidTwice(ctx, row, data.txHash);
    }
    await giveUp(ctx, row, '钱包已确认打款');
    await take(ctx, row, paidLegs(row));
  },

  'withdraw.failed': async (ctx, data) => {
    const row = await mustFind(ctx, data.no);
    await hold(ctx, row);
    await settlePayouts(ctx.db, row.id, false, ctx.now);
    await moveOn(ctx, row, 'failed', WITHDRAW.failed, { reason: data.reason });
    await giveUp(ctx, row, '钱包已确认打款失败');
  },

  'withdraw.unknown': async (ctx, data) => {
    const row = await mustFind(ctx, data.no);
    await moveOn(ctx, row, 'unknown', WITHDRAW.unknown, { reason: data.reason });
  },
};

async function request({ db, at, now }: EventCtx, data: EventData['withdraw.requested']): Promise<void> {
  const user = await mustFindUser(db, data.account);
  const market = await mustFindMarket(db, data.market);
  if (user.state !== 1) throw reject('frozen');
  const open = market.withdrawState === 1 && market.state === 1 && networkOpen(market, data.network, 'withdraw');
  if (!open) throw reject('closed');
  const beyond = beyondLimits(market, data);
  if (beyond) throw reject(beyond);
  const { no, network, address, amount, fee, memo = '' } = data;
  const whose = { userId: user.id, agentId: user.agentId, marketId: market.id };
  const row = { no, ...whose, network, address, memo, amount, fee, state: WITHDRAW.review, createdAt: at, now };
  const id = await insertWithdraw(db, row);
  // What this one freezes makes no difference to the risks: it stays on the same account type.
  await writeSoon(db);
  await writeGatheredOf(db, user.id);
  await setRisk(db, id, await findRisks(db, id, now));
  await freezeSoon(db, { refType: 'withdraw', refId: id, at, now }, { user, marketId: market.id, platform: 1 }, amount);
}

async function mustFind({ db }: EventCtx, no: string): Promise<WithdrawRecord> {
  const row = await findWithdrawByNo(db, no);
  if (!row) throw reject('unknown', 'no');
  return row;
}

async function moveOn(
  { db, at, now }: EventCtx,
  row: WithdrawRecord,
  event: keyof typeof withdrawEventCan,
  to: number,
  what: { txHash?: string | undefined; reason?: string | undefined } = {},
): Promise<void> {
  if (!(await moveWithdraw(db, row.id, { from: withdrawEventCan[event], to, at, now, ...what }))) throw reject('state');
}

/** Approvals, then payouts, then the withdrawal: a transaction that locks several of them uses this order. */
const hold = ({ db }: EventCtx, row: WithdrawRecord): Promise<void> =>
  lockApprovals(db, { type: 'withdraw', id: row.id });

/** Approvals that were still waiting have lost their object. */
const giveUp = ({ db, now }: EventCtx, row: WithdrawRecord, answer: string): Promise<void> =>
  closeApprovals(db, { type: 'withdraw', id: row.id }, { state: APPROVAL.expired, answer, now });

async function take({ db, at, now }: EventCtx, row: WithdrawRecord, legs: readonly Leg[]): Promise<void> {
  await releaseSoon(db, { refType: 'withdraw', refId: row.id, at, now }, holdOwner(row), row.amount, legs);
}

async function alarmPaidTwice({ db, now }: EventCtx, row: WithdrawRecord, txHash: string): Promise<void> {
  const detail = { txHash, amount: row.received, market: row.marketName };
  const alarm = { refType: 'withdraw', refId: row.id, agentId: row.agentId, userId: row.userId };
  await raiseAlarm(db, { kind: 'withdraw.paidAfterRefund', ...alarm, detail, now });
}

/** What the wallet's answer to a payout, or its silence, means for the withdrawal; only for its current attempt. */
export async function answerPayout(
  db: EventCtx['db'],
  command: FinishedCommand,
  answer: 'done' | 'failed' | 'unknown',
  reason: string,
  now: number,
): Promise<void> {
  const to = { done: WITHDRAW.paying, failed: WITHDRAW.failed, unknown: WITHDRAW.unknown }[answer];
  const data = command.data as { attempt: number };
  const why = answer === 'done' || reason === '' ? {} : { reason };
  await moveAttempt(db, command.refId, data.attempt, { from: [WITHDRAW.queued], to, now, ...why });
}
