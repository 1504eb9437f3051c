import { priceProtection } from '@hengtai/contract/risk/price-protection/calls';
import { Button } from 'antd';
import { useId, useState } from 'react';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import { useRead } from '../../../api/hooks.ts';
import { AgentPicker } from '../../people/agent/exported/AgentPicker.tsx';
import { GuardNote } from '../../../actions/LockedNote.tsx';
import { type PriceProtectionView, marketIdOf } from './price-protection-row.ts';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';

/** Level 2: selects the agents that may see and control the price protection of a market. */
export function PermitDialog({ row, onClose }: RecordDialogProps<PriceProtectionView>) {
  const id = useId();
  const query = useRead(priceProtection.permission, { id: marketIdOf(row) }, { staleTime: 0 });
  const [selected, setSelected] = useState<readonly string[]>();
  const stored = query.data?.agent ?? [];
  const agents = selected ?? stored;
  const isSame = agents.length === stored.length && agents.every((account) => stored.includes(account));

  return (
    <ActionDialog
      call={priceProtection.permit}
      input={{ marketId: marketIdOf(row), agent: [...agents], ...(query.data && { version: query.data.version }) }}
      title={`授权 · ${row.marketName}`}
      verb="保存授权"
      dirty={selected !== undefined}
      details={[]}
      consequence="被授权的代理能看到此市场的风控计划（现货、合约、秒合约）；同时有「风控计划」权限的，还能设置、暂停与恢复。授权只给代理本人，不包括其下级。总部人员不需要授权。"
      query={query}
      blocked={query.error ? '暂时无法加载现有授权' : isSame ? '尚未修改' : undefined}
      onClose={onClose}
    >
      <div className="pl-permit">
        <label htmlFor={id}>授权的代理</label>
        {agents.length === 0 ? (
          <p className="ht-faint">没有授权给任何代理</p>
        ) : (
          <ul className="pl-agents" aria-label="已选代理">
            {agents.map((account) => (
              <li key={account}>
                {account}
                <Button
                  size="small"
                  type="link"
                  aria-label={`移除 ${account}`}
                  onClick={() => setSelected(agents.filter((one) => one !== account))}
                >
                  移除
                </Button>
              </li>
            ))}
          </ul>
        )}
        <AgentPicker
          id={id}
          label="添加代理"
          value={undefined}
          disabledReasons={Object.fromEntries(agents.map((account) => [account, '已授权']))}
          onChange={(account) => setSelected([...agents, account])}
        />
      </div>
      <GuardNote call="plan.permit" />
    </ActionDialog>
  );
}
