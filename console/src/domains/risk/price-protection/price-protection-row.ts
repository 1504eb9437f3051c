import { ABILITY, abilityLabels } from '@hengtai/contract/authority/ability';
import { priceProtectionActionStates } from '@hengtai/contract/risk/price-protection/calls';
import { priceProtectionStates } from '@hengtai/contract/risk/price-protection/facts';
import type { PriceProtectionRow } from '@hengtai/contract/risk/price-protection/schema';

/**
 * A row whose `id` is the row key from `keyOf`, because a market has up to three rows with the same market id.
 */
export type PriceProtectionView = PriceProtectionRow;

/** Row key from market id and market type; `marketIdOf` is its inverse. */
export const keyOf = ({ id, marketType }: PriceProtectionRow): number => id * 4 + marketType;
export const marketIdOf = ({ id, marketType }: PriceProtectionView): number => (id - marketType) / 4;

export const NO_ABILITY = `没有「${abilityLabels[ABILITY.plans]}」权限`;

/** The reason why trading cannot be halted or resumed; undefined if it can. */
export function disabledReasonOf(
  action: keyof typeof priceProtectionActionStates,
  row: PriceProtectionRow,
  hasAbility: boolean,
): string | undefined {
  if (!hasAbility) return NO_ABILITY;
  if ((priceProtectionActionStates[action] as readonly number[]).includes(row.planState)) return undefined;
  return action === 'halt' ? `当前为「${priceProtectionStates[2]}」，交易已暂停` : '交易没有暂停';
}
