import { Decimal } from '@hengtai/contract/values/decimal';
import type { EVENT_REASONS } from '@hengtai/contract/gateway/gateway';
import { effectiveTerms, identityLevelOf } from '@hengtai/contract/risk/withdraw-limit/calls';
import { withdrawFeeOf } from '@hengtai/contract/risk/withdraw-limit/fee';
import type { EffectiveTerms, LimitVersion } from '@hengtai/contract/risk/withdraw-limit/schema';
import type { EventBatch } from '../../../gateway/event-batch.ts';
import type { EventMarket } from '../../../gateway/lookup.store.ts';
import { reject } from '../../../gateway/rejected.ts';
import { fetchLimits } from './limit.store.ts';
import { type DayUse, type LimitUse, type Standing, findStanding } from './usage.store.ts';

export interface RequestedAmount {
  amount: string;
  fee: string;
  network: string;
}

/** The versions in force that concern a user. */
interface Applying {
  level: LimitVersion | undefined;
  group: LimitVersion | undefined;
}

export const findApplying = (
  limits: readonly LimitVersion[],
  marketId: number,
  { auth, groupId }: Pick<Standing, 'auth' | 'groupId'>,
): Applying => ({
  level: limits.find((limit) => limit.marketId === marketId && limit.level === identityLevelOf(auth)),
  group: limits.find((limit) => limit.marketId === marketId && limit.groupId !== null && limit.groupId === groupId),
});

/** The limit that a request breaks, if any, without the fee. */
export function findBrokenTerm(
  terms: EffectiveTerms,
  amount: string,
  { usedAmount, usedCount }: DayUse,
): keyof typeof EVENT_REASONS | undefined {
  const requested = new Decimal(amount);
  const exceeds = (value: Decimal, limit: string): boolean => new Decimal(limit).gt(0) && value.gt(limit);
  if (terms.withdrawState === 0) return 'closed';
  if (requested.lt(terms.singleMin)) return 'min';
  if (exceeds(requested, terms.singleMax)) return 'max';
  if (exceeds(requested.plus(usedAmount), terms.dayAmount)) return 'dayAmount';
  return terms.dayCount > 0 && usedCount + 1 > terms.dayCount ? 'dayCount' : undefined;
}

/** What is recorded of a judged request; null if no level or group says anything about the coin. */
export type Judgement = Omit<LimitUse, 'withdrawId'> | null;

const noUse: DayUse = { usedAmount: '0', usedCount: 0 };

/**
 * Judges a request. The caller has locked the user for update, so that two requests of a user follow each other. A coin
 * without limits of levels and groups costs no statement.
 *
 * @throws Rejected if it breaks a limit, or its fee is not that of the terms
 */
export async function judgeRequest(
  batch: EventBatch,
  userId: number,
  market: EventMarket,
  requested: RequestedAmount,
  at: number,
): Promise<Judgement> {
  const standing = market.hasWithdrawLimits ? await findStanding(batch.db, userId, market.id, at) : undefined;
  const { level, group } = standing
    ? findApplying(await fetchLimits(batch.db, market.id), market.id, standing)
    : noTiers;
  const terms = effectiveTerms(market, level, group);
  const broken = findBrokenTerm(terms, requested.amount, standing ?? noUse);
  if (broken) throw reject(broken);
  const fee = expectedFee(terms, market, requested);
  if (new Decimal(requested.fee).gte(requested.amount)) throw reject('fee');
  if (fee !== null && !new Decimal(fee).eq(requested.fee)) throw reject('fee');
  if (!standing || (!level && !group)) return null;
  return {
    level: identityLevelOf(standing.auth),
    groupId: standing.groupId,
    levelVersion: level?.version ?? null,
    groupVersion: group?.version ?? null,
    singleMin: terms.singleMin,
    singleMax: terms.singleMax,
    dayAmount: terms.dayAmount,
    dayCount: terms.dayCount,
    usedAmount: standing.usedAmount,
    usedCount: standing.usedCount,
    fee,
  };
}

const noTiers: Applying = { level: undefined, group: undefined };

const expectedFee = (
  terms: EffectiveTerms,
  { networks, amountPrecision, withdrawFee }: Pick<EventMarket, 'networks' | 'amountPrecision' | 'withdrawFee'>,
  { amount, network }: RequestedAmount,
): string | null =>
  withdrawFeeOf(terms, {
    amount,
    amountPrecision,
    networkFee: networks.find((one) => one.network === network)?.fee ?? withdrawFee,
  });
