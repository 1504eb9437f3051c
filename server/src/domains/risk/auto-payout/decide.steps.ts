import { AUTO_REVIEWER } from '@hengtai/contract/risk/auto-payout/facts';
import { autoStops } from '@hengtai/contract/risk/auto-payout/labels';
import { CODE } from '@hengtai/contract/wire/envelope';
import { INT_MAX } from '@hengtai/contract/wire/list';
import { WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import { recordSubject, auditSubject } from '../../../actions/action-audit.ts';
import { recordAudit } from '../../../actions/audit.store.ts';
import { recordNotification } from '../../../actions/notification.store.ts';
import { evaluatePolicy, lockUser, priceAgeOf } from '../../../actions/policy.store.ts';
import { findLastHead } from '../../../books/audit/head.store.ts';
import { requireFound } from '../../../app/refuse.ts';
import { type Db, withSavepoint } from '../../../database/connect.ts';
import { type Mandate, PayoutRefused } from '../../funds/withdraw/payout-step.store.ts';
import { orderPayout } from '../../funds/withdraw/payout.steps.ts';
import type { DecidedWithdraw } from '../../funds/withdraw/withdraw.rules.ts';
import { decidedValue } from '../../funds/withdraw/withdraw-value.rules.ts';
import { findWithdraw } from '../../funds/withdraw/withdraw.store.ts';
import { findObstacle } from './auto-payout.steps.ts';
import { type LockedCoin, dayOf, lockCoin } from './coin.store.ts';
import { dayLimits, whyHouseFull } from './day-limits.rules.ts';
import {
  type LeftReason,
  type NewDecision,
  findCircumstances,
  findDecision,
  insertDecision,
} from './decision.store.ts';
import { drawOf } from './draw.rules.ts';
import { type Spent, fetchSpent, spend } from './spent.store.ts';
import { isStoppedOn, noticeCauses, recordAlarmCauses } from './stop-cause.store.ts';

const POLICY_NAME = 'withdraw.pass';
const scope = { kind: 'all' } as const;
const systemAt = (requestId: string, now: number) =>
  ({ operator: null, sessionId: null, ip: '', userAgent: '', requestId, now }) as const;
const subjectOf = recordSubject('withdraw');

/** Ends an attempt to pass a withdrawal. What it wrote is rolled back, and people decide. */
class LeftToPeople extends Error {
  readonly autoReason: LeftReason;

  constructor(autoReason: LeftReason) {
    super(autoReason);
    this.autoReason = autoReason;
  }
}

/**
 * Decides about a withdrawal whose candidate the transaction has taken: it passes with everything that a person's pass writes,
 * or it is left to people with the reason. Locks the coin, then the user, then the withdrawal.
 */
export async function decideWithdraw(db: Db, id: number, now: number): Promise<void> {
  const target = await findWithdraw({ db, scope }, id);
  const coin = target && (await lockCoin(db, target.marketId));
  if (!target || !coin) throw new Error(`The withdrawal ${id} has no coin with a budget.`);
  // A withdrawal that waited for an answer can have two candidates. The lock of the coin lets one decide after the other.
  if (await findDecision({ db }, id)) return;
  const mustWait = await isStopped(db, coin, target.platformId, now);
  await lockUser({ db, scope }, target.userId);
  // Read again, because operators and events may have changed it before the locks.
  const locked = requireFound(await findWithdraw({ db, scope }, id));
  const found = requireFound(await findCircumstances(db, id, now));
  const left = { ...(await leftDecision(db, coin, target, now)), set: found.set };
  const obstacle = mustWait ? 'stopped' : findObstacle(coin.budget, { ...found, ...locked }, now);
  if (obstacle !== null) return insertDecision(db, { ...left, why: obstacle });
  try {
    await withSavepoint(db, async () => {
      const passed = await passWithdraw(db, coin, locked, now);
      await insertDecision(db, { ...left, ...passed, why: null });
    });
  } catch (error) {
    if (!(error instanceof LeftToPeople || error instanceof PayoutRefused)) throw error;
    await insertDecision(db, { ...left, why: error.autoReason });
  }
}

/** A decision that leaves a withdrawal to people and spends nothing. The caller adds why. */
async function leftDecision(
  db: Db,
  { marketId, budgetId }: LockedCoin,
  { id: withdrawId, userId }: DecidedWithdraw,
  now: number,
): Promise<Omit<NewDecision, 'why'>> {
  const { house, user } = await fetchSpent(db, { marketId, day: dayOf(now), userId });
  return {
    withdrawId,
    budgetId,
    set: null,
    houseBefore: house.amount,
    houseAfter: house.amount,
    houseCount: house.count,
    userBefore: user.amount,
    userAfter: user.amount,
    mandateId: null,
    head: null,
    draw: null,
    drawn: false,
    now,
  };
}

/**
 * Whether a coin is stopped for the users of a platform: by a person, or because something happened that nobody has looked at
 * since. The caller has locked the coin, so that no decision passes after a cause that was committed.
 */
async function isStopped(db: Db, coin: LockedCoin, platformId: number, now: number): Promise<boolean> {
  await recordAlarmCauses(db, coin.marketId, now);
  await announceStops(db, coin, now);
  return coin.isStopped || isStoppedOn(db, coin.marketId, platformId);
}

/** Records and notifies for each platform that a coin was stopped by what happened. */
export async function announceStops(db: Db, coin: LockedCoin, now: number): Promise<void> {
  const { marketId, marketName } = coin;
  if (coin.isStopped || !coin.budget.on) return;
  const stops = await noticeCauses(db, marketId, now);
  for (const { platformName, why } of stops)
    await recordAudit(db, systemAt(`auto-payout-${marketId}`, now), {
      action: 'autoPayout.stopped',
      result: CODE.ok,
      targetType: 'autoPayout',
      targetId: marketId,
      after: { marketName, platformName, stopped: autoStops[why] },
    });
  if (stops.length > 0) await notifyOfCoin(db, 'autoPayout.stopped', marketId, now);
}

/** Notifies everybody with full scope: budgets are those of the house. */
export const notifyOfCoin = (
  db: Db,
  type: 'autoPayout.stopped' | 'autoPayout.started',
  marketId: number,
  now: number,
): Promise<void> =>
  recordNotification(db, { type, refType: 'autoPayout', refId: marketId, marketId, agentId: null, at: now, now });

type Passed = Pick<NewDecision, 'houseAfter' | 'houseCount' | 'userAfter' | 'mandateId' | 'head' | 'draw' | 'drawn'>;

/**
 * The sums of the day come last, so that they count only what everything else lets pass.
 *
 * @throws LeftToPeople or PayoutRefused
 */
async function passWithdraw(db: Db, coin: LockedCoin, target: DecidedWithdraw, now: number): Promise<Passed> {
  await requireAllowedAlone(db, target, now);
  let mandateId: number | null = null;
  const takeMandate = async (mandate: Mandate): Promise<boolean> => {
    if (!(await spendMandate(db, coin, mandate, target, now))) return false;
    mandateId = mandate.id;
    return true;
  };
  const move = { from: [WITHDRAW.review], to: WITHDRAW.queued, attempt: true, by: AUTO_REVIEWER, now };
  const after = await orderPayout({ db, scope }, { target, payer: { action: 'auto', takeMandate }, now }, move);
  const { user, house } = await spendBudget(db, coin, target, now);
  const head = await findLastHead(db);
  const draw = drawOf(head?.hash ?? '', target.no);
  const seed = { head: head?.number ?? null, draw, drawn: draw < coin.budget.reviewPercent };
  await recordAudit(db, systemAt(`withdraw-${target.id}`, now), {
    ...auditSubject(subjectOf(target)),
    action: 'withdraw.autoPass',
    result: CODE.ok,
    before: { state: target.state, attempt: target.attempt },
    after: {
      state: after.state,
      by: AUTO_REVIEWER,
      attempt: after.attempt,
      budget: coin.budget.version,
      mandateId,
      ...seed,
    },
  });
  return {
    houseAfter: house.amount,
    houseCount: house.count,
    userAfter: user.amount,
    mandateId,
    ...seed,
  };
}

/** @throws LeftToPeople if the day of the user or of the house has no room */
async function spendBudget(
  db: Db,
  { marketId, budget }: LockedCoin,
  { userId, amount }: DecidedWithdraw,
  now: number,
): Promise<{ user: Spent; house: Spent }> {
  const day = { marketId, day: dayOf(now), amount };
  const limits = dayLimits(budget, userId);
  const user = await spend(db, { ...day, ...limits.user });
  if (!user) throw new LeftToPeople('userDay');
  const house = await spend(db, { ...day, ...limits.house });
  if (house) return { user, house };
  const { house: spent } = await fetchSpent(db, { ...day, userId });
  throw new LeftToPeople(whyHouseFull(budget, spent));
}

/**
 * The system passes what one person could pass alone, and no more: its passes count towards the same limits.
 *
 * @throws LeftToPeople
 */
async function requireAllowedAlone(db: Db, target: DecidedWithdraw, now: number): Promise<void> {
  const question = { policy: POLICY_NAME, operatorId: null, userId: target.userId, ...decidedValue(target), now };
  if ((await evaluatePolicy(db, question, 0)) === 0) return;
  const { priceOld } = await priceAgeOf({ db, now }, target);
  throw new LeftToPeople(priceOld ? 'priceOld' : 'policy');
}

/** Counts a payout towards the day of a mandate; false if it has no room. */
async function spendMandate(
  db: Db,
  { marketId }: LockedCoin,
  { id: refId, perDay: limit }: Mandate,
  { received: amount }: DecidedWithdraw,
  now: number,
): Promise<boolean> {
  const spending = { marketId, day: dayOf(now), kind: 'mandate', refId, amount, limit, countLimit: INT_MAX } as const;
  return (await spend(db, spending)) !== undefined;
}

/** Leaves a withdrawal to people whose decision failed. */
export async function leaveAfterError(db: Db, id: number, now: number): Promise<void> {
  const target = requireFound(await findWithdraw({ db, scope }, id));
  const coin = await lockCoin(db, target.marketId);
  if (coin && !(await findDecision({ db }, id)))
    await insertDecision(db, { ...(await leftDecision(db, coin, target, now)), why: 'error' });
}
