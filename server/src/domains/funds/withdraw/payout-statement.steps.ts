import { EVENT_REASONS } from '@hengtai/contract/gateway/gateway';
import { type EventData, eventData } from '@hengtai/contract/gateway/events.schema';
import { WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import type { Db } from '../../../database/connect.ts';
import { checkOf } from '../../../http/check-of.ts';
import type { EventCtx } from '../../../gateway/event-batch.ts';
import type { KeepRejected } from '../../../gateway/handlers.ts';
import { findHandedOver, lockPayouts } from '../../../gateway/payout.store.ts';
import { keyIdOf } from '../../../gateway/platform-scope.ts';
import { rejectField } from '../../../gateway/rejected.ts';
import { type Occurrence, raiseAlarm } from '../../house/alarm/alarm.store.ts';
import {
  type LockedWithdraw,
  type NewStatement,
  type StatementType,
  causeOf,
  findOwnWithdraw,
  findRootAgentId,
  insertStatement,
  lockWithdraw,
} from './payout-statement.store.ts';
import type { WithdrawRecord } from './withdraw.rules.ts';
import { findWithdrawByNo } from './withdraw.store.ts';

/** What the wallet says about a payout, by the fields of all its events. */
export type Said = Partial<EventData['withdraw.paid' | 'withdraw.failed']> & { no: string; attempt?: number };

/** A withdrawal about which the wallet said something, locked with its payouts. */
export interface HeardWithdraw extends LockedWithdraw {
  /** The attempt that the wallet speaks of; 0 if no payout was ordered. */
  meant: number;
  isEarlier: boolean;
}

/** Locks a withdrawal and its payouts, and finds the attempt that the wallet speaks of. */
export async function hear(db: Db, withdrawId: number, { attempt }: Said): Promise<HeardWithdraw> {
  await lockPayouts(db, withdrawId);
  const locked = await lockWithdraw(db, withdrawId);
  const meant = attempt ?? (await findHandedOver(db, withdrawId)) ?? locked.attempt;
  return { ...locked, meant, isEarlier: meant < locked.attempt };
}

/** @throws Rejected for an attempt that was never ordered */
export function requireAttempt({ attempt, meant }: HeardWithdraw): void {
  if (meant > attempt) throw rejectField('attempt', `an attempt that was ordered, at most ${attempt},`);
}

/** Keeps a statement in the transaction of its event; false if the same is kept already. */
export const keep = (
  { db, batch, at, now }: EventCtx,
  row: WithdrawRecord,
  said: Said & { type: StatementType; meant: number; effect: NewStatement['effect'] },
): Promise<boolean> =>
  insertStatement(db, { ...said, platformId: batch.scope.id, withdrawId: row.id, attempt: said.meant, at, now });

/** Raises the alarm about a payout, or adds to it while it is open. It names the hash that the withdrawal has. */
export async function alarmUnexpected(
  db: Db,
  row: WithdrawRecord,
  { recorded, occurrence, now }: { recorded: string; occurrence: Occurrence; now: number },
): Promise<void> {
  const { id, agentId, userId, received: amount, marketName: market } = row;
  const detail = { amount, market, ...occurrence.detail, ...(recorded !== '' && { recorded }) };
  const about = { refType: 'withdraw', refId: id, agentId, userId };
  await raiseAlarm(db, { ...causeOf(id), ...about, detail, occurrence, now });
}

/** The reasons of rejection after which a statement is kept. Others are faults of the event itself. */
const KEPT: ReadonlySet<string> = new Set([
  EVENT_REASONS.state,
  `${EVENT_REASONS.unknown}: no`,
  `${EVENT_REASONS.invalid}: attempt`,
]);

/**
 * Keeps what the wallet said in an event that was rejected: once for each number, attempt and hash. A payment raises an
 * alarm, unless it is the one that the withdrawal has.
 */
const keepStatement =
  (type: StatementType): KeepRejected =>
  async (db, { data, at }, { reason, scope, now }) => {
    if (!KEPT.has(reason) || !checkOf(eventData[`withdraw.${type}`]).Check(data)) return;
    const { id: platformId } = scope;
    const said: Said = data;
    const heard = { ...said, platformId, keyId: keyIdOf(scope), type, at: Math.min(at, now), now };
    const withdrawId = await findOwnWithdraw(db, platformId, said.no);
    await (withdrawId === undefined ? keepUnknown(db, heard) : keepKnown(db, withdrawId, heard));
  };

export const keepRejected = {
  'withdraw.paying': keepStatement('paying'),
  'withdraw.paid': keepStatement('paid'),
  'withdraw.failed': keepStatement('failed'),
  'withdraw.unknown': keepStatement('unknown'),
} satisfies Readonly<Record<string, KeepRejected>>;

type Rejected = Said & Omit<NewStatement, 'withdrawId' | 'attempt' | 'effect'> & { keyId: number };

async function keepKnown(db: Db, withdrawId: number, said: Rejected): Promise<void> {
  const { state, txHash: recorded, meant } = await hear(db, withdrawId, said);
  const { type, txHash = '', keyId, now } = said;
  const isUnexpected = type === 'paid' && !(state === WITHDRAW.paid && txHash === recorded);
  const effect = isUnexpected ? 'unexpected' : 'none';
  const isNew = await insertStatement(db, { ...said, withdrawId, attempt: meant, effect });
  if (!isNew || !isUnexpected) return;
  const row = await findWithdrawByNo(db, said.no);
  if (!row) throw new Error(`The withdrawal ${withdrawId} has no number ${said.no}.`);
  const occurrence = { key: `paid ${meant} ${txHash}`, detail: { attempt: meant, txHash }, keyId };
  await alarmUnexpected(db, row, { recorded, occurrence, now });
}

/** A payment for a number that the platform has not reported. It may be anybody's money, so the alarm concerns no user. */
async function keepUnknown(db: Db, said: Rejected): Promise<void> {
  const { platformId, no, attempt = 0, type, txHash = '', keyId, now } = said;
  if (type !== 'paid') return;
  if (!(await insertStatement(db, { ...said, withdrawId: null, attempt, effect: 'unexpected' }))) return;
  await raiseAlarm(db, {
    kind: 'withdraw.unexpected',
    refType: 'installation',
    refId: 1,
    agentId: await findRootAgentId(db),
    cause: `platform ${platformId}`,
    detail: { platformId },
    occurrence: { key: `${no} ${attempt} ${txHash}`, detail: { no, attempt, txHash }, keyId },
    now,
  });
}
