import { user, userOpenKinds } from '@hengtai/contract/people/user/calls';
import { USER_BUSY } from '@hengtai/contract/people/user/facts';
import type { UserOpen, UserRow } from '@hengtai/contract/people/user/schema';
import { useState } from 'react';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import { useRead } from '../../../api/hooks.ts';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';
import type { DisplayError } from '../../../ui/value/display-error.ts';
import { userDetails } from './user-details.tsx';
import { adviceFor } from './advice.ts';

interface Props extends RecordDialogProps<UserRow> {
  onRemoved: (id: number) => void;
}

const REASONS = ['用户申请注销', '重复账号', '测试账号'] as const;

/** Level 3: deletes a user. Lists what blocks the deletion, before the call and after a refusal. */
export function RemoveDialog({ row, onClose, onRemoved }: Props) {
  const detail = useRead(user.detail, { id: row.id }, { staleTime: 0 });
  const [refusedBlockers, setRefusedBlockers] = useState<readonly UserOpen[]>();
  const blockers = refusedBlockers ?? detail.data?.open ?? [];

  // The list shows the blockers, so the short message replaces the one that repeats them.
  const showBlockers = (error: DisplayError): DisplayError => {
    if (!error.blockers) return error;
    setRefusedBlockers(error.blockers);
    return { ...error, msg: USER_BUSY };
  };

  return (
    <ActionDialog
      call={user.del}
      input={{ id: row.id }}
      successText={`已删除用户 ${row.account}`}
      title="删除用户"
      danger
      details={userDetails(row)}
      consequence="删除后用户不能再登录，也不再出现在列表中，不能恢复；历史记录、账本和审计日志保留。"
      blocked={refusedBlockers === undefined && blockers.length > 0 ? `请先处理以下 ${blockers.length} 项` : undefined}
      query={detail}
      reason={{ required: true, chips: REASONS }}
      challenge={{ label: '请输入账号以确认', expect: row.account }}
      mapError={showBlockers}
      onDone={() => {
        onClose();
        onRemoved(row.id);
      }}
      onClose={onClose}
    >
      {blockers.length > 0 && <Blockers row={row} open={blockers} onLeave={onClose} />}
    </ActionDialog>
  );
}

/** What blocks the deletion, each item with advice. */
function Blockers({ row, open, onLeave }: { row: UserRow; open: readonly UserOpen[]; onLeave: () => void }) {
  return (
    <section className="ht-user-blockers" aria-label="不能删除的原因">
      <h4>还不能删除，请先处理：</h4>
      <ul>
        {open.map(({ what, text }) => {
          const { todo, to } = adviceFor(what, row);
          return (
            <li key={`${what} ${text}`}>
              <b>{userOpenKinds[what] ?? what}</b>
              <span>{text}</span>
              <span className="ht-value-faint">
                {todo}
                {to && (
                  <span onClickCapture={onLeave}>
                    <PageLink to={to}>前往</PageLink>
                  </span>
                )}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
