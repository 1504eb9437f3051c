import { priceProtection } from '@hengtai/contract/risk/price-protection/calls';
import { priceProtectionStates } from '@hengtai/contract/risk/price-protection/facts';
import { marketTypes } from '@hengtai/contract/trading/market/type';
import { Button } from 'antd';
import { type ComponentType, useId, useState } from 'react';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';
import { GuardNote } from '../../../actions/LockedNote.tsx';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import { useRead } from '../../../api/hooks.ts';
import { Money } from '../../../ui/value/Money.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { AgentPicker } from '../../people/agent/exported/AgentPicker.tsx';
import { MinuteInput } from './MinuteInput.tsx';
import { SaveDialog } from './SaveDialog.tsx';
import { marketText, parseMinutes } from './words.ts';
import { type PriceProtectionView, marketIdOf } from './price-protection-row.ts';

type Props = RecordDialogProps<PriceProtectionView>;

const dialogs = {
  save: SaveDialog,
  halt: HaltDialog,
  resume: ResumeDialog,
  permit: PermitDialog,
} satisfies Record<string, ComponentType<Props>>;
export type PriceProtectionAction = keyof typeof dialogs;

/** Renders the dialog of an action. It is open as long as it is mounted. */
export function PriceProtectionDialog({ action, ...props }: Props & { action: PriceProtectionAction }) {
  const Dialog = dialogs[action];
  return <Dialog {...props} />;
}

/** Level 2: halts one kind of trading of a market immediately, for all users. */
function HaltDialog({ row, onClose }: RecordDialogProps<PriceProtectionView>) {
  const [text, setText] = useState(String(row.planMinute));
  const planMinute = parseMinutes(text);

  return (
    <ActionDialog
      call={priceProtection.halt}
      input={{ id: marketIdOf(row), marketType: row.marketType, planMinute: planMinute ?? 1 }}
      title="暂停交易"
      danger
      details={[
        { label: '市场', value: marketText(row) },
        { label: '当前状态', value: priceProtectionStates[row.planState as keyof typeof priceProtectionStates] },
        { label: '最新价', value: <Money value={row.price} unit="USDT" /> },
      ]}
      consequence={`立即停止接受 ${row.marketName} 的${marketTypes[row.marketType]}新委托，对所有用户生效；已有的委托与持仓不变。${planMinute === undefined ? '' : `${planMinute} 分钟后自动恢复。`}`}
      blocked={planMinute === undefined ? '暂停时长为 1–1440 分钟' : undefined}
      onClose={onClose}
    >
      <MinuteInput value={text} onChange={setText} />
    </ActionDialog>
  );
}

/** Level 2: ends a halt early. */
function ResumeDialog({ row, onClose }: RecordDialogProps<PriceProtectionView>) {
  return (
    <ActionDialog
      call={priceProtection.resume}
      input={{ id: marketIdOf(row), marketType: row.marketType }}
      title="恢复交易"
      details={[
        { label: '市场', value: marketText(row) },
        { label: '最新价', value: <Money value={row.price} unit="USDT" /> },
        { label: '暂停于', value: <Time value={row.triggeredAt} /> },
        { label: '原定恢复', value: <Time value={row.resumeAt} /> },
        {
          label: row.haltedBy === null ? '触发价' : '手动暂停人',
          value: row.haltedBy ?? <Money value={row.triggerPrice} unit="USDT" />,
        },
      ]}
      consequence={`立即恢复 ${row.marketName} 的${marketTypes[row.marketType]}交易。${row.watched === 1 ? '价格回到区间内一次之后，才会再次触发。' : ''}`}
      onClose={onClose}
    />
  );
}

/** Level 2: selects the agents that may see and control the price protection of a market. */
function PermitDialog({ row, onClose }: RecordDialogProps<PriceProtectionView>) {
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
      <div className="ht-price-protection-permit">
        <label htmlFor={id}>授权的代理</label>
        {agents.length === 0 ? (
          <p className="ht-value-faint">没有授权给任何代理</p>
        ) : (
          <ul className="ht-price-protection-agents" aria-label="已选代理">
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
