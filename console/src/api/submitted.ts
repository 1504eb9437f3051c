import { SUBMITTED, approval } from '@hengtai/contract/desk/approval/calls';
import type { ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import { targetText } from '@hengtai/contract/authority/target';
import type { QueryClient } from '@tanstack/react-query';
import { shorten } from '../ui/value/decimal.ts';
import { toast } from './toast.ts';

/** Shows what was submitted for approval, and refreshes the pending-approval tags of rows. */
export function notifySubmitted(client: QueryClient, request: ApprovalRow): void {
  toast.info(submittedText(request));
  void client.invalidateQueries({ queryKey: [approval.open.path] });
}

/** `已提交复核：通过提现 · lao.bo · 19,250 USDT · 复核 #12`. */
export function submittedText({ id, title, account, amount, targetType, targetId }: ApprovalRow): string {
  const what = [title, account ?? targetText({ targetType, targetId })];
  if (amount !== null) what.push(`${shorten(amount, 2)} USDT`);
  return `${SUBMITTED}：${[...what, `复核 #${id}`].join(' · ')}`;
}
