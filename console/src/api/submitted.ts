import { SUBMITTED, approval } from '@hengtai/contract/desk/approval/calls';
import type { ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import { targetText } from '@hengtai/contract/authority/target';
import type { QueryClient } from '@tanstack/react-query';
import { toast } from './toast.ts';

/** Shows what was submitted for approval, and refreshes the pending-approval tags of rows. */
export function notifySubmitted(client: QueryClient, { title, account, targetType, targetId }: ApprovalRow): void {
  toast.info(`${SUBMITTED}：${title} · ${account ?? targetText({ targetType, targetId })}`);
  void client.invalidateQueries({ queryKey: [approval.open.path] });
}
