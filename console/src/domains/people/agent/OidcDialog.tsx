import { agent } from '@hengtai/contract/people/agent/calls';
import type { AgentRow } from '@hengtai/contract/people/agent/schema';
import { Input } from 'antd';
import { useId, useState } from 'react';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';
import { LockedNote } from '../../../actions/LockedNote.tsx';
import { SUBMIT } from '../../../actions/approval-words.ts';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import { useRead } from '../../../api/hooks.ts';
import { agentDetails } from './agent-details.tsx';
import { useIsGuarded } from './use-is-guarded.ts';

const REASONS = ['入职开通', '企业账号更换', '离职或停用'] as const;
const LENGTH_MAX = 255;

/** Level 2: links an agent to its account at the identity provider. An empty field removes the link. */
export function OidcDialog({ row, onClose }: RecordDialogProps<AgentRow>) {
  const fieldId = useId();
  const isGuarded = useIsGuarded(row);
  const query = useRead(agent.detail, { id: row.id });
  const { data } = query;
  const current = data?.oidc?.subject ?? '';
  const [typed, setTyped] = useState<string>();
  const subject = (typed ?? current).trim();
  const verb = subject === '' ? '解除关联' : '关联';

  return (
    <ActionDialog
      call={agent.oidcLink}
      input={{ id: row.id, subject: subject === '' ? null : subject }}
      title="关联企业账号"
      verb={isGuarded ? SUBMIT : verb}
      danger
      details={agentDetails(row)}
      query={query}
      consequence={
        subject === ''
          ? '该代理不能再用企业登录，会话结束；密码与第二因素不变。'
          : '持有此企业账号的人可以作为该代理登录，启用了第二因素的仍须给出；该代理的会话结束。'
      }
      blocked={findProblem(subject, current)}
      reason={{ chips: REASONS }}
      onClose={onClose}
    >
      <div className="ht-field">
        <label htmlFor={fieldId}>企业账号标识（sub）</label>
        <Input
          id={fieldId}
          value={typed ?? current}
          maxLength={LENGTH_MAX}
          autoComplete="off"
          onChange={(event) => setTyped(event.target.value)}
        />
        <p>本人先用企业登录尝试一次，标识即记入审计日志的登录记录；请核对是本人后填写。清空为解除关联。</p>
      </div>
      {isGuarded && <LockedNote>该代理持有关键权限，由另一位复核员确认后生效。</LockedNote>}
    </ActionDialog>
  );
}

function findProblem(subject: string, current: string): string | undefined {
  if (subject === current) return '关联没有变化';
  return /^[\x21-\x7e]*$/.test(subject) ? undefined : '标识只含字母、数字与符号';
}
