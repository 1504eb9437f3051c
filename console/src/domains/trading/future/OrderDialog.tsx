import './future.css';
import { FUTURE_SIDE, future } from '@hengtai/contract/trading/future/calls';
import type { FutureRow } from '@hengtai/contract/trading/future/schema';
import { market } from '@hengtai/contract/trading/market/calls';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import { Button } from 'antd';
import { useState } from 'react';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';
import { AFTER_APPROVAL } from '../../../actions/approval-words.ts';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import { useRead } from '../../../api/hooks.ts';
import { ProfitAmount } from '../../../records/order-parts.tsx';
import { AmountInput } from '../../../ui/form/AmountInput.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { amountOf } from '../../../ui/value/amount.ts';
import { compare, negate, percentOf, multiply, sum } from '../../../ui/value/decimal.ts';
import { DemoMark } from './columns.tsx';
import { type FutureAction, canRetry, coinOf, kindText, stateText } from './words.ts';

/** Renders the dialog of an action. It is open as long as it is mounted. */
export function OrderDialog({ action, ...props }: RecordDialogProps<FutureRow> & { action: FutureAction }) {
  return action === 'cancel' ? <CancelDialog {...props} /> : <CloseDialog {...props} />;
}

/** Level 2: commands the engine to cancel one order. It shows 撤单中 until the engine confirms. */
function CancelDialog({ row, onClose }: RecordDialogProps<FutureRow>) {
  const detail = useRead(future.detail, { id: row.id }, { staleTime: 0 });
  const second = detail.data?.secondCancel ?? false;
  const now = detail.data?.row ?? row;

  return (
    <ActionDialog
      call={future.cancel}
      input={{ id: row.id }}
      user={row}
      needsChecker={second}
      successText="撤单指令已发出，等待撮合确认"
      danger
      verb="撤销委托"
      amounts={[{ value: now.held, unit: coinOf(row), note: '撤销后释放保证金' }]}
      details={[
        { label: '合约', value: kindText(row) },
        { label: '账户', value: <DemoMark demo={row.demo} /> },
        { label: '委托价', value: <Money value={row.price} unit={SETTLEMENT} /> },
        { label: '数量', value: <Money value={row.amount} unit={row.marketName} /> },
        { label: '状态', value: stateText(now.state) },
        { label: '委托时间', value: <Time value={row.createdAt} /> },
      ]}
      consequence={`${second ? AFTER_APPROVAL : ''}${canRetry('cancel', row) ? '再次' : ''}向撮合发出撤单指令；撮合确认前显示「撤单中」，期间仍可能成交开仓。`}
      query={detail}
      stateText={stateText}
      onClose={onClose}
    />
  );
}

const PERCENTS = [25, 50, 100] as const;
const REFETCH_MS = 3_000;

/** Level 2: commands the engine to close a position or a part of it, at the price of the engine. */
function CloseDialog({ row, onClose }: RecordDialogProps<FutureRow>) {
  const detail = useRead(future.detail, { id: row.id }, { staleTime: 0, refetchMs: REFETCH_MS });
  const { data: marketRow } = useRead(market.detail, { id: row.marketId }, { staleTime: 60_000 });
  const now = detail.data?.row ?? row;
  const [amountText, setAmountText] = useState(now.left);
  const amount = amountOf(amountText);
  const second = detail.data?.secondClose ?? false;
  const blocked = blockedBy(amount, now.left);
  const estimate = blocked === undefined && amount !== undefined ? profitAtMark(now, amount) : null;

  return (
    <ActionDialog
      call={future.close}
      input={{ id: row.id, closeAmount: amount ?? '' }}
      user={row}
      needsChecker={second}
      successText="平仓指令已发出，等待撮合确认"
      danger
      verb={amount !== undefined && compare(amount, now.left) < 0 ? '部分平仓' : '全部平仓'}
      amounts={[{ value: amount ?? '0', unit: row.marketName, note: '平仓数量' }]}
      details={[
        { label: '合约', value: kindText(row) },
        { label: '账户', value: <DemoMark demo={row.demo} /> },
        { label: '未平数量', value: <Money value={now.left} unit={row.marketName} /> },
        { label: '开仓价', value: <Money value={now.openPrice} unit={SETTLEMENT} /> },
        { label: '标记价', value: <Money value={now.markPrice} unit={SETTLEMENT} /> },
        { label: '预计盈亏', value: <ProfitAmount value={estimate} unit={coinOf(row)} digits={8} /> },
      ]}
      consequence={`${second ? AFTER_APPROVAL : ''}${canRetry('close', row) ? '再次' : ''}向撮合发出平仓指令：只减仓，不会反向开仓；按撮合成交价平仓，预计盈亏按当前标记价估算、未计手续费，以成交为准。撮合确认前显示「平仓中」。`}
      blocked={blocked}
      dirty={amountText !== row.left}
      query={detail}
      stateText={stateText}
      onClose={onClose}
    >
      <div className="ht-future-part">
        <AmountInput label="平仓数量" value={amountText} onChange={setAmountText} unit={row.marketName} />
        <div className="ht-future-chips" role="group" aria-label="平仓比例">
          {PERCENTS.map((percent) => (
            <Button
              key={percent}
              size="small"
              onClick={() => setAmountText(percentOf(now.left, percent, marketRow?.amountPrecision ?? 8))}
            >
              {percent}%
            </Button>
          ))}
        </div>
      </div>
    </ActionDialog>
  );
}

function blockedBy(amount: string | undefined, left: string): string | undefined {
  if (amount === undefined || compare(amount, '0') <= 0) return '请输入平仓数量';
  return compare(amount, left) > 0 ? '平仓数量不能超过未平数量' : undefined;
}

/** Estimated profit at the mark price, for display only. The engine decides the actual price. */
function profitAtMark({ side, openPrice, markPrice }: FutureRow, amount: string): string | null {
  if (openPrice === null || markPrice === null) return null;
  const priceChange = sum([markPrice, negate(openPrice)]);
  return multiply(side === FUTURE_SIDE.long ? priceChange : negate(priceChange), amount);
}
