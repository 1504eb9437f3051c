import type { autoReasons } from '@hengtai/contract/risk/auto-payout/labels';
import type { EventData } from '@hengtai/contract/gateway/events.schema';
import type { WithdrawDetail } from '@hengtai/contract/funds/withdraw/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { Declared } from '../../../app/declared.ts';
import { Refused } from '../../../app/refuse.ts';
import type { DestinationInput } from '../../../destination/destination.ts';
import type { EventCtx, EventUser } from '../../../gateway/event-batch.ts';
import type { EventMarket } from '../../../gateway/lookup.store.ts';
import type { Db } from '../../../database/connect.ts';
import type { DecidedWithdraw, SignedOrder, WithdrawMove } from './withdraw.rules.ts';

/** A payout that may not be ordered, with the reason for which the system leaves it to people. */
export class PayoutRefused extends Refused {
  readonly autoReason: keyof typeof autoReasons;

  constructor({ refusal, data, message }: Refused, autoReason: keyof typeof autoReasons) {
    super(refusal, data, message);
    this.autoReason = autoReason;
  }
}

export interface PayoutRequest {
  user: EventUser;
  market: EventMarket;
  data: EventData['withdraw.requested'];
}

/** What is recorded of a request, with the id of its withdrawal. */
type RecordRequest = (withdrawId: number) => Promise<void>;

/** An action that orders a payout. */
export type PayingAction = 'pass' | 'retry';

/** A signed text under which the system may pay up to a sum per UTC day, a decimal string. */
export interface Mandate {
  id: number;
  perDay: string;
}

/** Operators pay what they signed, the system what a mandate has room for. */
export type Payer =
  | { action: PayingAction; maker: string; approvalId: number | undefined }
  | { action: 'auto'; takeMandate: (mandate: Mandate) => Promise<boolean> };

export interface PayoutOrder {
  target: DecidedWithdraw;
  payer: Payer;
  now: number;
}

/** What steps add to the details of a withdrawal that the caller has found in its scope. */
export type PayoutDetails = Pick<WithdrawDetail, 'appliedLimits' | 'screening' | 'related' | 'rules' | 'auto'>;

export type PayoutDetailReaders = {
  [K in keyof PayoutDetails]: (ctx: Ctx, target: DecidedWithdraw) => Promise<PayoutDetails[K]>;
};

/** What a module adds on the way from the request of a withdrawal to its payout. */
export interface PayoutStep {
  /**
   * Judges a request before it is recorded. The user is locked.
   *
   * @throws Rejected
   */
  onRequest?: (ctx: EventCtx, request: PayoutRequest) => Promise<RecordRequest | null>;
  /** Of each payee, whether an account with the same owner is blocked or sanctioned now. Needs full scope. */
  findRelated?: (db: Db, payees: readonly DestinationInput[], now: number) => Promise<boolean[]>;
  /** Why nothing may be paid now; null if nothing forbids it. */
  findObstacle?: (db: Db, target: DecidedWithdraw, now: number) => Promise<PayoutRefused | null>;
  /** The least number of checkers, whatever the policy says. Refuses if the maker has to do something first. */
  minimumCheckers?: (ctx: Ctx, target: DecidedWithdraw, action: PayingAction) => Promise<number>;
  /** Runs after an approval was opened. */
  onApproval?: (ctx: Ctx, target: DecidedWithdraw, action: PayingAction, approvalId: number) => Promise<void>;
  /** Runs when a checker passes the approval, before it counts. Refuses if the checker has to do something first. */
  countersign?: (ctx: Ctx, approvalId: number) => Promise<void>;
  /** Runs when a payout is ordered, whose withdrawal is locked. Refuses what may not be paid. */
  onOrder?: (db: Db, order: PayoutOrder) => Promise<SignedOrder | null>;
  /** A further CTE for the statement whose CTE `moved` moves a withdrawal. */
  onMove?: (move: WithdrawMove) => RawBuilder<unknown>;
  details?: Partial<PayoutDetailReaders>;
}

/** The steps in the order in which they judge a payout. */
export const payoutSteps = new Declared<readonly PayoutStep[]>('the steps of payouts');
export const payoutDetails = new Declared<PayoutDetailReaders>('the details of payouts');

/** Lets all steps judge a request. The result records it. */
export async function judgeBySteps(ctx: EventCtx, request: PayoutRequest): Promise<RecordRequest> {
  const records: RecordRequest[] = [];
  for (const { onRequest } of payoutSteps.get()) {
    const record = await onRequest?.(ctx, request);
    if (record) records.push(record);
  }
  return async (withdrawId) => {
    for (const record of records) await record(withdrawId);
  };
}

/** Of each payee, whether a step says that an account with the same owner is listed. Needs full scope. */
export async function findRelatedListed(db: Db, payees: readonly DestinationInput[], now: number): Promise<boolean[]> {
  let related = payees.map(() => false);
  for (const { findRelated } of payees.length > 0 ? payoutSteps.get() : []) {
    const found = (await findRelated?.(db, payees, now)) ?? [];
    related = related.map((is, index) => is || found[index] === true);
  }
  return related;
}

/** @throws PayoutRefused by the first step that forbids the payout */
export async function requireNoObstacle(db: Db, target: DecidedWithdraw, now: number): Promise<void> {
  for (const { findObstacle } of payoutSteps.get()) {
    const obstacle = await findObstacle?.(db, target, now);
    if (obstacle) throw obstacle;
  }
}

/** @throws Refused if the maker has to do something first, or by a bulk call that must not pass the withdrawal */
export async function countCheckers(ctx: Ctx, target: DecidedWithdraw, action: PayingAction): Promise<number> {
  let checkers = 0;
  for (const { minimumCheckers } of payoutSteps.get())
    checkers = Math.max(checkers, (await minimumCheckers?.(ctx, target, action)) ?? 0);
  return checkers;
}

export async function prepareApproval(...approval: Parameters<NonNullable<PayoutStep['onApproval']>>): Promise<void> {
  for (const { onApproval } of payoutSteps.get()) await onApproval?.(...approval);
}

export async function countersign(ctx: Ctx, approvalId: number): Promise<void> {
  for (const step of payoutSteps.get()) await step.countersign?.(ctx, approvalId);
}

/** What the wallet verifies of an order; null if no step signs it. */
export async function signOrder(db: Db, order: PayoutOrder): Promise<SignedOrder | null> {
  let signed: SignedOrder | null = null;
  for (const { onOrder } of payoutSteps.get()) signed = (await onOrder?.(db, order)) ?? signed;
  return signed;
}

/** The CTEs of all steps. */
export const moveEffects = (move: WithdrawMove): RawBuilder<unknown> =>
  sql.join(
    payoutSteps.get().flatMap(({ onMove }) => onMove?.(move) ?? []),
    sql` `,
  );

export async function readPayoutDetails(ctx: Ctx, target: DecidedWithdraw): Promise<PayoutDetails> {
  const details = payoutDetails.get();
  return {
    appliedLimits: await details.appliedLimits(ctx, target),
    screening: await details.screening(ctx, target),
    related: await details.related(ctx, target),
    rules: await details.rules(ctx, target),
    auto: await details.auto(ctx, target),
  };
}
