import { BULK_MAX } from '@hengtai/contract/list';
import { user } from '@hengtai/contract/user';
import type { UserRow } from '@hengtai/contract/user.schema';
import { useId, useState } from 'react';
import { newKey, useAction } from '../../api/hooks.ts';
import { AgentPicker } from '../agent/exported/AgentPicker.tsx';
import type { BulkLine } from '../../ui/BulkResults.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { settle } from '../../api/display-error.ts';
import { runWithToast, withReason } from '../../api/run-with-toast.ts';
import { STALE } from './actions.ts';
import { userDetails } from './user-details.tsx';

const REASONS = ['代理关系调整', '用户申请更换', '原代理停止合作'] as const;

const consequenceOf = (from: string, to: string | undefined) =>
  `用户及其全部记录（充值、提现、资金、转账等）随之转到${to ? `「${to}」` : '新代理'}名下；余额和资产不变。${from}将看不到这些用户，除非新代理在其下级中。`;

function AgentField({
  value,
  onChange,
  current,
}: {
  value: string | undefined;
  onChange: (account: string) => void;
  current?: string | undefined;
}) {
  const id = useId();
  return (
    <div className="ht-field">
      <label htmlFor={id}>新代理</label>
      <AgentPicker id={id} value={value} onChange={onChange} current={current} />
    </div>
  );
}

interface Props {
  row: UserRow;
  onClose: () => void;
}

/** Level 2: moves a user with all its records to another agent. */
export function AgentDialog({ row, onClose }: Props) {
  const { submit } = useAction(user.agentChange, { invalidate: STALE });
  const [agent, setAgent] = useState<string>();

  async function run(reason: string, key: string) {
    if (agent === undefined) return undefined;
    const error = await runWithToast(() => submit(withReason({ userId: row.id, agent }, reason), key));
    if (!error) onClose();
    return error;
  }

  return (
    <ConfirmDialog
      title="更换代理"
      verb="更换代理"
      details={userDetails(row)}
      consequence={consequenceOf(`原代理「${row.agent}」及其上级`, agent)}
      blocked={agent === undefined ? '请选择新代理' : undefined}
      reason={{ required: false, chips: REASONS }}
      makeKey={newKey}
      run={run}
      onClose={onClose}
    >
      <AgentField value={agent} onChange={setAgent} current={row.agent} />
    </ConfirmDialog>
  );
}

interface BulkProps {
  rows: readonly UserRow[];
  onClose: () => void;
  onDone: (results: readonly BulkLine[]) => void;
}

/** Level 3: moves several users, each with its own result. */
export function AgentBulkDialog({ rows, onClose, onDone }: BulkProps) {
  const { submit } = useAction(user.agentChangeMany, { invalidate: STALE });
  const [agent, setAgent] = useState<string>();
  const agents = new Set(rows.map((row) => row.agent));
  const unchanged = rows.filter((row) => row.agent === agent).length;

  async function run(reason: string, key: string) {
    let results: readonly BulkLine[] = [];
    const error = await settle(async () => {
      const outcome = await submit({ ids: rows.map(({ id }) => id), agent: agent ?? '', reason }, key);
      if (outcome.kind === 'done') ({ results } = outcome.data);
    });
    if (!error) onDone(results);
    return error;
  }

  return (
    <ConfirmDialog
      title="批量更换代理"
      verb={`更换 ${rows.length} 位的代理`}
      details={[
        { label: '用户', value: `${rows.length} 位` },
        { label: '原代理', value: agents.size === 1 ? [...agents].join('') : `${agents.size} 个` },
        { label: '已在新代理', value: `${unchanged} 位` },
      ]}
      consequence={consequenceOf('原代理及其上级', agent)}
      blocked={rows.length > BULK_MAX ? `一次最多 ${BULK_MAX} 位` : agent === undefined ? '请选择新代理' : undefined}
      reason={{ required: true, chips: REASONS }}
      challenge={{ label: '请输入人数以确认', expect: String(rows.length) }}
      makeKey={newKey}
      run={run}
      onClose={onClose}
    >
      <AgentField value={agent} onChange={setAgent} />
    </ConfirmDialog>
  );
}
