import { user } from '@hengtai/contract/people/user/calls';
import type { UserRow } from '@hengtai/contract/people/user/schema';
import { useId, useState } from 'react';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import { AgentPicker } from '../agent/exported/AgentPicker.tsx';
import { userDetails } from './user-details.tsx';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';
import { BulkDialog } from '../../../actions/BulkDialog.tsx';
import type { BulkLine } from '../../../ui/dialog/BulkResults.tsx';

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
    <div className="ht-dialog-field">
      <label htmlFor={id}>新代理</label>
      <AgentPicker id={id} value={value} onChange={onChange} current={current} />
    </div>
  );
}

/** Level 2: moves a user with all its records to another agent. */
export function AgentDialog({ row, onClose }: RecordDialogProps<UserRow>) {
  const [agent, setAgent] = useState<string>();

  return (
    <ActionDialog
      call={user.agentChange}
      input={{ userId: row.id, agent: agent ?? '' }}
      title="更换代理"
      verb="更换代理"
      details={userDetails(row)}
      consequence={consequenceOf(`原代理「${row.agent}」及其上级`, agent)}
      blocked={agent === undefined ? '请选择新代理' : undefined}
      reason={{ chips: REASONS }}
      onClose={onClose}
    >
      <AgentField value={agent} onChange={setAgent} current={row.agent} />
    </ActionDialog>
  );
}

interface BulkProps {
  rows: readonly UserRow[];
  onClose: () => void;
  onDone: (results: readonly BulkLine[]) => void;
}

/** Level 3: moves several users, each with its own result. */
export function AgentBulkDialog({ rows, onClose, onDone }: BulkProps) {
  const [agent, setAgent] = useState<string>();
  const agents = new Set(rows.map((row) => row.agent));
  const unchanged = rows.filter((row) => row.agent === agent).length;

  return (
    <BulkDialog
      call={user.agentChangeMany}
      input={{ agent: agent ?? '' }}
      rows={rows}
      unit="位"
      title="批量更换代理"
      verb="更换代理"
      confirmText={`更换 ${rows.length} 位的代理`}
      details={[
        { label: '用户', value: `${rows.length} 位` },
        { label: '原代理', value: agents.size === 1 ? [...agents].join('') : `${agents.size} 个` },
        { label: '已在新代理', value: `${unchanged} 位` },
      ]}
      consequence={consequenceOf('原代理及其上级', agent)}
      blocked={agent === undefined ? '请选择新代理' : undefined}
      reasons={REASONS}
      onClose={onClose}
      onDone={onDone}
    >
      <AgentField value={agent} onChange={setAgent} />
    </BulkDialog>
  );
}
