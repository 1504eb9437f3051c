import type { TargetFacts } from './action.ts';
import { joinFacts } from '../facts.ts';

/** Address of the four-eyes panel, above the pending requests. */
export const FOUR_EYES_PATH = '/approval?state=0&fourEyes=1';

export const targets: Readonly<Record<string, TargetFacts>> = joinFacts('targets');

/** Labels of the targets of mutations, approvals and audit rows. */
export const targetTypes: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(targets).map(([type, { label }]) => [type, label]),
);

/** Labels of the kinds that audit rows name. */
export const auditTargetTypes: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(targets).flatMap(([type, { label, ledgerOnly }]) => (ledgerOnly ? [] : [[type, label]])),
);

/** Kinds of records that the search finds by number; users also by account. */
export const searchTypes: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(targets).flatMap(([type, { label, isSearchable }]) => (isSearchable ? [[type, label]] : [])),
);

/** The target as text, such as `提现 #12`; empty without a target. */
export function targetText({ targetType, targetId }: { targetType: string | null; targetId: number | null }): string {
  if (targetType === null) return '';
  const label = Object.hasOwn(targetTypes, targetType) ? targetTypes[targetType] : targetType;
  // There is only one installation, so its id is not shown.
  return targetId === null || targetType === 'installation' ? `${label}` : `${label} #${targetId}`;
}
