import {
  BRANCH_LIMIT_PREFIX,
  BRANCH_MULTIPLE,
  HOUSE_LIMIT_PREFIX,
  HOUSE_MULTIPLE,
  TWO_CHECKERS_PREFIX,
  POLICY_PREFIX,
} from '@hengtai/contract/desk/approval/calls';
import { isPolicy } from '@hengtai/contract/desk/config/calls';
import type { ConfigRow } from '@hengtai/contract/desk/config/schema';

const LIMITS = [
  { prefix: BRANCH_LIMIT_PREFIX, zero: `单用户金额的 ${BRANCH_MULTIPLE} 倍` },
  { prefix: HOUSE_LIMIT_PREFIX, zero: `单用户金额的 ${HOUSE_MULTIPLE} 倍` },
  { prefix: TWO_CHECKERS_PREFIX, zero: '不启用' },
] as const;

/** The meaning of 0 for a limit; undefined for any other setting. */
export const zeroMeaningOf = (key: string): string | undefined =>
  LIMITS.find(({ prefix }) => key.startsWith(prefix))?.zero;

/** Groups the settings. The limits of a policy follow it in its group. */
export function groupsOf(rows: readonly ConfigRow[]): ConfigRow[][] {
  const policies = new Set(rows.filter(isPolicy).map(({ key }) => key));
  const isPolicyLimit = ({ key }: ConfigRow) =>
    LIMITS.some(({ prefix }) => key.startsWith(prefix) && policies.has(POLICY_PREFIX + key.slice(prefix.length)));
  const groups = new Map<string, ConfigRow[]>();
  for (const row of rows) {
    if (isPolicyLimit(row)) continue;
    const name = row.key.slice(POLICY_PREFIX.length);
    const limits = isPolicy(row) ? LIMITS.flatMap(({ prefix }) => rows.filter(({ key }) => key === prefix + name)) : [];
    groups.set(row.group, [...(groups.get(row.group) ?? []), row, ...limits]);
  }
  return [...groups.values()];
}
