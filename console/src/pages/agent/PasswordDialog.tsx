import { agent } from '@hengtai/contract/agent';
import type { AgentRow } from '@hengtai/contract/agent.schema';
import { useAction } from '../../api/hooks.ts';
import { withReason } from '../../api/said.ts';
import { PasswordReset } from '../../shell/PasswordReset.tsx';
import { agentFacts } from './agent-facts.tsx';
import { STALE } from './deeds.ts';

interface Props {
  row: AgentRow;
  onClose: () => void;
}

const REASONS = ['代理忘记密码，已核实身份', '账号疑似被盗', '首次开通登录'] as const;

export function PasswordDialog({ row, onClose }: Props) {
  const { submit } = useAction(agent.pwdUpdate, { invalidate: STALE });
  return (
    <PasswordReset
      account={row.account}
      facts={agentFacts(row)}
      consequence="原密码随即失效，该代理的会话立即结束，需用新密码登录。"
      reasons={REASONS}
      receiver="该代理"
      submit={(password, reason, key) => submit(withReason({ id: row.id, password }, reason), key)}
      onClose={onClose}
    />
  );
}
