import { ABILITY, abilityLabels } from '@hengtai/contract/ability';
import { planCan, planStates } from '@hengtai/contract/plan';
import type { PlanRow } from '@hengtai/contract/plan.schema';

/**
 * A row on screen, its id the key of the plan: a market has up to three, so its own number alone does not name one.
 */
export type PlanView = PlanRow;

export const keyOf = ({ id, marketType }: PlanRow): number => id * 4 + marketType;
export const marketIdOf = ({ id, marketType }: PlanView): number => (id - marketType) / 4;

export const NO_ABILITY = `没有「${abilityLabels[ABILITY.plans]}」权限`;

/** Why a plan can neither be halted nor resumed now; undefined when it can. */
export function whyNot(action: keyof typeof planCan, row: PlanRow, able: boolean): string | undefined {
  if (!able) return NO_ABILITY;
  if ((planCan[action] as readonly number[]).includes(row.planState)) return undefined;
  return action === 'halt' ? `当前为「${planStates[2]}」，交易已暂停` : '交易没有暂停';
}
