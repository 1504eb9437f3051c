import { AGENT_ENABLED, agent } from '@hengtai/contract/agent';
import type { AgentRow } from '@hengtai/contract/agent.schema';
import { useState } from 'react';
import { newKey, useAction, useRead } from '../../api/hooks.ts';
import { runWithToast, withReason } from '../../api/run-with-toast.ts';
import { LockedNote, SUBMIT } from '../../shell/LockedNote.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { agentDetails } from './agent-details.tsx';
import { STALE } from './actions.ts';
import { useGuardedHolder } from './use-holder.ts';

interface Props {
  row: AgentRow;
  onClose: () => void;
}

const REASONS = ['代理离职', '账号存在风险', '暂停合作'] as const;

/** Level 2: an agent can log in, or can no longer. Those below it go on working, and how many they are is said. */
export function StateDialog({ row, onClose }: Props) {
  // What is asked is what will be done, whatever the list reads meanwhile.
  const [to] = useState<0 | 1>(row.state === 1 ? 0 : 1);
  const { submit } = useAction(agent.state, { invalidate: STALE });
  const { data, isPending } = useRead(agent.detail, { id: row.id }, { staleTime: 0 });
  const off = to === 0;
  const guarded = useGuardedHolder(row) && !off;
  const working = data?.workingBelow ?? 0;

  async function run(reason: string, key: string) {
    const input = { id: row.id, type: AGENT_ENABLED, state: to };
    const error = await runWithToast(() => submit(withReason(input, reason), key));
    if (!error) onClose();
    return error;
  }

  return (
    <ConfirmDialog
      title={off ? '停用代理' : '启用代理'}
      verb={off ? '停用' : guarded ? SUBMIT : '启用'}
      danger={off}
      details={[
        ...agentDetails(row),
        { label: '在线', value: data ? `${data.sessions} 个会话` : '--' },
        { label: '下级', value: data ? `${working.toLocaleString('en-US')} 个代理仍可登录` : '--' },
      ]}
      consequence={
        off
          ? `该代理的会话立即结束，不能再登录，由其提交的待复核申请将无法执行。只停用这一个账号：${
              working > 0 ? `下级仍有 ${working.toLocaleString('en-US')} 个代理可以登录和操作，需要时请逐个停用；` : ''
            }用户不受影响。`
          : '该代理可以重新登录，权限与停用前相同。'
      }
      loading={isPending}
      reason={{ required: false, chips: off ? REASONS : [] }}
      makeKey={newKey}
      run={run}
      onClose={onClose}
    >
      {guarded && <LockedNote>该代理持有关键权限，由另一位复核员确认后才启用。</LockedNote>}
    </ConfirmDialog>
  );
}
