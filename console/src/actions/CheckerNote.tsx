import './notes.css';
import { approval } from '@hengtai/contract/desk/approval/calls';
import { useRead } from '../api/hooks.ts';

/**
 * Warns if no other operator could approve the request. `userId`: the user that it is about; without one, checkers anywhere
 * in the operator's tree count.
 */
export function CheckerNote({ userId }: { userId?: number }) {
  const { data } = useRead(approval.checkers, userId === undefined ? {} : { userId });
  if (!data || data.others > 0) return null;
  return (
    <p className="ht-actions-note-warn" role="status">
      目前没有其他操作员可以复核：提交后无人能通过，24
      小时后过期。请先由管理员开通另一位操作员的「审批复核」权限，或在系统设置中关闭此复核策略。
    </p>
  );
}
