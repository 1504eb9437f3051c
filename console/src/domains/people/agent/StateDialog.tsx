import { AGENT_ENABLED, agent } from '@hengtai/contract/people/agent/calls';
import type { AgentRow } from '@hengtai/contract/people/agent/schema';
import { useState } from 'react';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import { useRead } from '../../../api/hooks.ts';
import { LockedNote } from '../../../actions/LockedNote.tsx';
import { SUBMIT } from '../../../actions/approval-words.ts';
import { agentDetails } from './agent-details.tsx';
import { useIsGuarded } from './use-is-guarded.ts';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';

const REASONS = ['代理离职', '账号存在风险', '暂停合作'] as const;

/** Level 2: enables or disables the login of an agent. Agents below it keep theirs; the dialog shows how many. */
export function StateDialog({ row, onClose }: RecordDialogProps<AgentRow>) {
  // Fixed while the dialog is open: a refresh of the list must not reverse the action.
  const [to] = useState<0 | 1>(row.state === 1 ? 0 : 1);
  const query = useRead(agent.detail, { id: row.id }, { staleTime: 0 });
  const { data } = query;
  const isDisabling = to === 0;
  const isGuarded = useIsGuarded(row) && !isDisabling;
  const workingBelow = data?.workingBelow ?? 0;

  return (
    <ActionDialog
      call={agent.state}
      input={{ id: row.id, type: AGENT_ENABLED, state: to }}
      title={isDisabling ? '停用代理' : '启用代理'}
      verb={isDisabling ? '停用' : isGuarded ? SUBMIT : '启用'}
      danger={isDisabling}
      details={[
        ...agentDetails(row),
        { label: '在线', value: data ? `${data.sessions} 个会话` : '--' },
        { label: '下级', value: data ? `${workingBelow.toLocaleString('en-US')} 个代理仍可登录` : '--' },
      ]}
      consequence={
        isDisabling
          ? `该代理的会话立即结束，不能再登录，由其提交的待复核申请将无法执行。只停用这一个账号：${
              workingBelow > 0
                ? `下级仍有 ${workingBelow.toLocaleString('en-US')} 个代理可以登录和操作，需要时请逐个停用；`
                : ''
            }用户不受影响。`
          : '该代理可以重新登录，权限与停用前相同。'
      }
      query={query}
      reason={{ chips: isDisabling ? REASONS : [] }}
      onClose={onClose}
    >
      {isGuarded && <LockedNote>该代理持有关键权限，由另一位复核员确认后才启用。</LockedNote>}
    </ActionDialog>
  );
}
