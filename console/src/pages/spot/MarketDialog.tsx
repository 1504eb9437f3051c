import { home } from '@hengtai/contract/home';
import { SETTLEMENT } from '@hengtai/contract/money';
import { spot, spotCancelReasons } from '@hengtai/contract/spot';
import { Select } from 'antd';
import { useState } from 'react';
import { toDisplayError, settle } from '../../api/display-error.ts';
import { newKey, useAction, useRead } from '../../api/hooks.ts';
import { toast } from '../../api/toast.ts';
import { CheckerNote } from '../../shell/CheckerNote.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { ErrorMessage } from '../../ui/ErrorMessage.tsx';
import { Money } from '../../ui/Money.tsx';

interface Props {
  /** The market that the list is filtered by. */
  first: number | undefined;
  options: Readonly<Record<string | number, string>>;
  onClose: () => void;
}

const STALE = [spot.list, spot.detail, spot.preview, home.state];

/** Level 3: everything open in a market. Its name is typed, and what it concerns is counted first. */
export function MarketDialog({ first, options, onClose }: Props) {
  const [marketId, setMarketId] = useState(first);
  const chosen = marketId !== undefined;
  const preview = useRead(spot.preview, { marketId: marketId ?? 0 }, { enabled: chosen, staleTime: 0 });
  const { submit } = useAction(spot.cancelAll, { invalidate: STALE });
  const found = chosen ? preview.data : undefined;
  const second = found?.second ?? false;

  async function run(reason: string, key: string) {
    const error = await settle(async () => {
      const outcome = await submit({ marketId: marketId ?? 0, reason }, key);
      if (outcome.kind === 'done') toast.success(`已发出 ${outcome.data.orders} 条撤单指令，等待撮合确认`);
    });
    if (!error) onClose();
    return error;
  }

  return (
    <ConfirmDialog
      title="撤销市场全部委托"
      verb={second ? '提交复核' : found ? `撤销 ${found.orders} 条` : '撤销全部'}
      danger
      details={[
        { label: '未完成', value: found ? `${found.orders} 条` : '--' },
        { label: '用户', value: found ? `${found.users} 位` : '--' },
        { label: '买单冻结', value: <Money value={found?.buying} unit={SETTLEMENT} digits={18} /> },
        {
          label: '卖单冻结',
          value: <Money value={found?.selling} {...(found && { unit: found.marketName })} digits={18} />,
        },
        { label: '估值', value: <Money value={found?.valuation} unit={SETTLEMENT} digits={2} rough /> },
        { label: '撤单中', value: found ? `${found.cancelling} 条` : '--' },
      ]}
      consequence={`${second ? '提交后由另一位复核员确认，确认后' : ''}向撮合逐条发出撤单指令，包括此刻之后新增、执行时仍未完成的委托；撮合确认前显示「撤单中」，期间仍可能成交。`}
      loading={chosen && preview.isPending}
      blocked={blockedBy(chosen, found?.orders)}
      reason={{ required: true, chips: spotCancelReasons }}
      {...(found && found.orders > 0 && { challenge: { label: '请输入市场名称以确认', expect: found.marketName } })}
      makeKey={newKey}
      run={run}
      onClose={onClose}
    >
      <div className="tr-market">
        <span aria-hidden>市场</span>
        <Select
          aria-label="市场"
          placeholder="请选择市场"
          {...(marketId !== undefined && { value: marketId })}
          onChange={(value: number) => setMarketId(value)}
          options={Object.entries(options)
            .filter(([, name]) => name !== SETTLEMENT)
            .map(([id, name]) => ({ value: Number(id), label: name }))}
        />
      </div>
      {preview.error && chosen && <ErrorMessage error={toDisplayError(preview.error)} />}
      {second && <CheckerNote />}
    </ConfirmDialog>
  );
}

function blockedBy(chosen: boolean, orders: number | undefined): string | undefined {
  if (!chosen) return '请选择市场';
  return orders === 0 ? '该市场没有可撤销的委托' : undefined;
}
