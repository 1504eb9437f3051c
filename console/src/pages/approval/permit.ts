import type { ApprovalRow } from '@hengtai/contract/approval.schema';
import { formatClock } from '../../ui/zone.ts';

/** `已准许提交人在 14:05 前操作一次`; undefined where the approval permits nothing. */
export function permitText(
  { permitUntil }: Pick<ApprovalRow, 'permitUntil'>,
  zone: string,
  now: number,
): string | undefined {
  if (permitUntil === null) return undefined;
  const clock = formatClock(permitUntil, zone).slice(0, 5);
  return permitUntil > now ? `已准许提交人在 ${clock} 前操作一次` : `准许已于 ${clock} 到期`;
}
