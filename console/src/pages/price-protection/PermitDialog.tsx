import { priceProtection } from '@hengtai/contract/price-protection';
import { Button } from 'antd';
import { useId, useState } from 'react';
import { newKey, useAction, useRead } from '../../api/hooks.ts';
import { runWithToast, withReason } from '../../api/run-with-toast.ts';
import { AgentPicker } from '../../shell/AgentPicker.tsx';
import { GuardNote } from '../../shell/LockedNote.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { type PriceProtectionView, marketIdOf } from './price-protection-row.ts';

interface Props {
  row: PriceProtectionView;
  onClose: () => void;
}

const STALE = [priceProtection.list, priceProtection.permission];

/** Level 2: which agents have to do with the plans of a market. */
export function PermitDialog({ row, onClose }: Props) {
  const id = useId();
  const known = useRead(priceProtection.permission, { id: marketIdOf(row) }, { staleTime: 0 });
  const { submit } = useAction(priceProtection.permit, { invalidate: STALE });
  const [chosen, setChosen] = useState<readonly string[]>();
  const now = known.data?.agent ?? [];
  const agent = chosen ?? now;
  const same = agent.length === now.length && agent.every((account) => now.includes(account));

  async function run(reason: string, key: string) {
    const error = await runWithToast(() =>
      submit(withReason({ marketId: marketIdOf(row), agent: [...agent] }, reason), key),
    );
    if (!error) onClose();
    return error;
  }

  return (
    <ConfirmDialog
      title={`授权 · ${row.marketName}`}
      verb="保存授权"
      dirty={chosen !== undefined}
      details={[]}
      consequence="被授权的代理能看到此市场的风控计划（现货、合约、秒合约）；同时有「风控计划」权限的，还能设置、暂停与恢复。授权只给代理本人，不包括其下级。总部人员不需要授权。"
      loading={known.data === undefined && !known.error}
      blocked={known.error ? '暂时无法加载现有授权' : same ? '尚未修改' : undefined}
      reason={{ required: false, chips: [] }}
      makeKey={newKey}
      run={run}
      onClose={onClose}
    >
      <div className="pl-permit">
        <label htmlFor={id}>授权的代理</label>
        {agent.length === 0 ? (
          <p className="ht-faint">没有授权给任何代理</p>
        ) : (
          <ul className="pl-agents" aria-label="已选代理">
            {agent.map((account) => (
              <li key={account}>
                {account}
                <Button
                  size="small"
                  type="link"
                  aria-label={`移除 ${account}`}
                  onClick={() => setChosen(agent.filter((one) => one !== account))}
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
          disabledReasons={Object.fromEntries(agent.map((account) => [account, '已授权']))}
          onChange={(account) => setChosen([...agent, account])}
        />
      </div>
      <GuardNote call="plan.permit" />
    </ConfirmDialog>
  );
}
