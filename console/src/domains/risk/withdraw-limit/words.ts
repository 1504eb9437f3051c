import {
  type LimitTier,
  type TermName,
  effectiveTerms,
  identityLevels,
  inheritedTerms,
  isOfTier,
  withdrawStateLabels,
  termNames,
} from '@hengtai/contract/risk/withdraw-limit/calls';
import { loosenedTermsOfCoin, withTerms } from '@hengtai/contract/risk/withdraw-limit/compare';
import type { LimitCoin, LimitList, LimitTerms, LimitVersion } from '@hengtai/contract/risk/withdraw-limit/schema';
import { formatGrouped, multiply } from '../../../ui/value/decimal.ts';

export interface TierRow {
  tier: LimitTier;
  name: string;
  current: LimitVersion | undefined;
}

const LEVEL_NAMES = Object.entries(identityLevels);

/** The levels, then the groups, with their terms for a coin. */
export function tiersOf({ groups, limits }: LimitList, marketId: number): TierRow[] {
  const ofCoin = limits.filter((limit) => limit.marketId === marketId);
  return [
    ...LEVEL_NAMES.map(([level, name]) => ({ tier: { level: Number(level), groupId: null }, name })),
    ...groups.map(({ id, name }) => ({ tier: { level: null, groupId: id }, name })),
  ].map((row) => ({ ...row, current: ofCoin.find((limit) => isOfTier(limit, row.tier)) }));
}

const amountText = (value: string, unit: string) => `${formatGrouped(value)} ${unit}`;

const percentText = (ratio: string) => `${multiply(ratio, '100')}%`;

/** A term in words; null inherits. */
export function termText(name: TermName, value: string | number | null, unit: string): string {
  if (value === null) return '继承';
  const text = String(value);
  if (name === 'withdrawState') return withdrawStateLabels[text === '0' ? 0 : 1];
  if (name === 'feeRate') return percentText(text);
  if (text === '0' && name !== 'singleMin' && name !== 'feeFixed') return '不限';
  return name === 'dayCount' ? `${text} 笔` : amountText(text, unit);
}

/** The fee in words. */
export function feeText({ feeFixed, feeRate }: Pick<LimitTerms, 'feeFixed' | 'feeRate'>, unit: string): string {
  if (feeFixed === null && feeRate === null) return '由平台决定';
  const fixed = feeFixed === null ? '网络手续费' : amountText(feeFixed, unit);
  return feeRate === null || feeRate === '0' ? fixed : `${fixed} + 数量 × ${percentText(feeRate)}`;
}

export interface TermChange {
  name: TermName;
  before: string;
  after: string;
  loosens: boolean;
}

const limitsOf = (limits: readonly LimitVersion[], coin: LimitCoin) => ({
  coin,
  limits: limits.filter(({ marketId }) => marketId === coin.marketId),
});

/** The limits of each coin. */
export const coinLimitsOf = ({ coins, limits }: Pick<LimitList, 'coins' | 'limits'>) =>
  coins.map((coin) => limitsOf(limits, coin));

/** The terms that differ from those in force, in words. */
export function termChanges(
  { limits }: Pick<LimitList, 'limits'>,
  coin: LimitCoin,
  { tier, current }: TierRow,
  terms: LimitTerms,
): TermChange[] {
  const before = limitsOf(limits, coin);
  const loosened = loosenedTermsOfCoin(before, withTerms(before, tier, terms));
  return diffTerms(current ?? inheritedTerms, terms, coin.marketName).map((change) => ({
    ...change,
    loosens: loosened.includes(change.name),
  }));
}

/** The terms that two versions differ in, in words. */
export const diffTerms = (before: LimitTerms, after: LimitTerms, unit: string): Omit<TermChange, 'loosens'>[] =>
  termNames
    .filter((name) => before[name] !== after[name])
    .map((name) => ({
      name,
      before: termText(name, before[name], unit),
      after: termText(name, after[name], unit),
    }));

/** What a level or a group inherits for a coin: a level from the coin, a group from the level of each of its users. */
export function inheritedText(coin: LimitCoin, { groupId }: LimitTier, name: TermName): string {
  if (groupId !== null) return '用户认证等级的值';
  const value = effectiveTerms(coin, undefined, undefined)[name];
  return value === null ? '由平台决定' : termText(name, value, coin.marketName);
}
