import { SETTLEMENT } from '@hengtai/contract/money';
import { spot } from '@hengtai/contract/spot';
import { Select } from 'antd';
import { useState } from 'react';
import { useRead } from '../../api/hooks.ts';
import { Money } from '../../ui/Money.tsx';
import { priceDetails } from '../../ui/price-details.tsx';
import { AFTER_APPROVAL } from '../../actions/approval-words.ts';
import { ActionDialog } from '../../actions/ActionDialog.tsx';
import { STALE } from './words.ts';

interface Props {
  /** The market of the list filter, selected at first. */
  first: number | undefined;
  options: Readonly<Record<string | number, string>>;
  onClose: () => void;
}

/** Level 3: cancels all open orders of a market. Shows their count; the operator types the market name. */
export function MarketDialog({ first, options, onClose }: Props) {
  const [marketId, setMarketId] = useState(first);
  const hasMarket = marketId !== undefined;
  const preview = useRead(spot.preview, { marketId: marketId ?? 0 }, { enabled: hasMarket, staleTime: 0 });
  const counts = hasMarket ? preview.data : undefined;
  const needsChecker = counts?.second ?? false;

  return (
    <ActionDialog
      call={spot.cancelAll}
      input={{ marketId: marketId ?? 0 }}
      invalidate={STALE}
      needsChecker={needsChecker}
      successText={({ orders }) => `已发出 ${orders} 条撤单指令，等待撮合确认`}
      title="撤销市场全部委托"
      verb={counts ? `撤销 ${counts.orders} 条` : '撤销全部'}
      danger
      details={[
        { label: '未完成', value: counts ? `${counts.orders} 条` : '--' },
        { label: '用户', value: counts ? `${counts.users} 位` : '--' },
        {
          label: '买单冻结',
          value: <Money value={counts?.buying} unit={counts?.quoteName ?? SETTLEMENT} />,
        },
        {
          label: '卖单冻结',
          value: <Money value={counts?.selling} {...(counts && { unit: counts.coinName })} />,
        },
        { label: '估值', value: <Money value={counts?.valuation} unit={SETTLEMENT} digits={2} rough /> },
        ...priceDetails(counts),
        { label: '撤单中', value: counts ? `${counts.cancelling} 条` : '--' },
      ]}
      consequence={`${needsChecker ? AFTER_APPROVAL : ''}向撮合逐条发出撤单指令，包括此刻之后新增、执行时仍未完成的委托；撮合确认前显示「撤单中」，期间仍可能成交。`}
      query={hasMarket ? preview : undefined}
      blocked={blockedBy(hasMarket, counts?.orders)}
      {...(counts && counts.orders > 0 && { challenge: { label: '请输入市场名称以确认', expect: counts.marketName } })}
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
    </ActionDialog>
  );
}

function blockedBy(hasMarket: boolean, orders: number | undefined): string | undefined {
  if (!hasMarket) return '请选择市场';
  return orders === 0 ? '该市场没有可撤销的委托' : undefined;
}
