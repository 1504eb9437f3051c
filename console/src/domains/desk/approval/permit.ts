import type { ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import { formatClock } from '../../../ui/value/zone.ts';

/** `准许提交人在 14:05 前操作一次`; undefined if the approval grants no permit. */
export function permitText({ permitUntil }: Pick<ApprovalRow, 'permitUntil'>, zone: string): string | undefined {
  return permitUntil === null ? undefined : `准许提交人在 ${formatClock(permitUntil, zone).slice(0, 5)} 前操作一次`;
}
