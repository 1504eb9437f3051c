import type { Call, CallSpec } from '@hengtai/contract/wire/endpoint';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import type {
  MarketCancelInput,
  MarketCancelPreview,
  MarketCancelled,
  MarketInput,
} from '@hengtai/contract/wire/schema';
import { Select } from 'antd';
import { useState } from 'react';
import { ActionDialog } from '../actions/ActionDialog.tsx';
import { AFTER_APPROVAL } from '../actions/approval-words.ts';
import { useRead } from '../api/hooks.ts';
import type { DetailItem } from '../ui/dialog/ConfirmDialog.tsx';
import { GreyedAction } from '../ui/dialog/GreyedAction.tsx';
import { useMarketOptions } from './market-options.ts';

interface DialogProps<C extends MarketCancelPreview> {
  /** Counts what `cancelAll` of a market would cancel. */
  preview: CallSpec & Call<MarketInput, C>;
  cancelAll: CallSpec & Call<MarketCancelInput, MarketCancelled>;
  /** What the orders hold. */
  detailsOf: (counts: C | undefined) => readonly DetailItem[];
  consequence: string;
}

interface Props<C extends MarketCancelPreview> extends DialogProps<C> {
  /** The market filter of the list. Its market is selected at first. */
  filter: number | undefined;
  /** Why the operator cannot cancel; undefined if it can. */
  disabledReason: string | undefined;
}

/** The button above a list of orders that cancels all open orders of a market. */
export function MarketCancel<C extends MarketCancelPreview>({ filter, disabledReason, ...dialog }: Props<C>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <GreyedAction look="button" danger disabledReason={disabledReason} onClick={() => setOpen(true)}>
        市场撤单
      </GreyedAction>
      {isOpen && <MarketDialog {...dialog} first={filter === 0 ? undefined : filter} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Level 3: shows how many orders it cancels and what they hold; the operator types the market name. */
function MarketDialog<C extends MarketCancelPreview>({
  preview: previewCall,
  cancelAll,
  first,
  detailsOf,
  consequence,
  ...dialog
}: DialogProps<C> & { first: number | undefined; onClose: () => void }) {
  const options = useMarketOptions().marketId ?? {};
  const [marketId, setMarketId] = useState(first);
  const hasMarket = marketId !== undefined;
  const preview = useRead<CallSpec & Call<MarketInput, MarketCancelPreview>>(
    previewCall,
    hasMarket ? { marketId } : undefined,
    { staleTime: 0 },
  );
  // The answer of the call that the caller gave.
  const counts = preview.data as C | undefined;
  // Also while nothing could be counted.
  const name = hasMarket ? (counts?.marketName ?? options[marketId]) : undefined;
  const needsChecker = counts?.second ?? false;

  return (
    <ActionDialog
      {...dialog}
      call={cancelAll}
      input={{ marketId: marketId ?? 0 }}
      needsChecker={needsChecker}
      successText={({ orders }) => `已发出 ${orders} 条撤单指令，等待撮合确认`}
      verb={counts ? `撤销 ${counts.orders} 条` : '撤销全部'}
      danger
      details={[
        { label: '未完成', value: counts ? `${counts.orders} 条` : '--' },
        { label: '用户', value: counts ? `${counts.users} 位` : '--' },
        ...detailsOf(counts),
        { label: '撤单中', value: counts ? `${counts.cancelling} 条` : '--' },
      ]}
      consequence={`${needsChecker ? AFTER_APPROVAL : ''}${consequence}`}
      query={hasMarket ? preview : undefined}
      blocked={blockedBy(hasMarket, counts?.orders)}
      {...(name !== undefined &&
        counts?.orders !== 0 && { challenge: { label: '请输入市场名称以确认', expect: name } })}
    >
      <div className="ht-dialog-fields">
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
