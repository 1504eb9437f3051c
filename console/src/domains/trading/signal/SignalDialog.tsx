import { market } from '@hengtai/contract/trading/market/calls';
import type { MarketRow } from '@hengtai/contract/trading/market/schema';
import { type SignalState, signal, signalFields, signalEditableFields } from '@hengtai/contract/trading/signal/calls';
import { SIGNAL } from '@hengtai/contract/trading/signal/facts';
import type { SignalAdd, SignalRow } from '@hengtai/contract/trading/signal/schema';
import { Button, Form } from 'antd';
import { useMemo, useState } from 'react';
import { GuardNote } from '../../../actions/LockedNote.tsx';
import { settle } from '../../../api/display-error.ts';
import { newKey, useAction, useRead } from '../../../api/hooks.ts';
import { toast } from '../../../api/toast.ts';
import { useTabGuard } from '../../../navigation/page-route.ts';
import { SaveModal } from '../../../ui/dialog/SaveModal.tsx';
import { amountOf } from '../../../ui/value/amount.ts';
import type { DisplayError } from '../../../ui/value/display-error.ts';
import { SignalForm, type SignalValues } from './SignalForm.tsx';
import { stateText } from './words.ts';

interface Props {
  /** The signal to edit; undefined to add one. */
  row: SignalRow | undefined;
  onClose: () => void;
}

const LISTED_MARKETS = { size: 200, state: 1 } as const;
const DAY_MS = 86_400_000;

/** Adds or edits a signal, as a draft or published. A published signal has fields that can no longer change. */
export function SignalDialog({ row, onClose }: Props) {
  const [form] = Form.useForm<SignalValues>();
  const [initial] = useState(() => (row ? valuesOf(row) : freshValues(Date.now())));
  // Saving a draft (0) and publishing (1) are different requests, so each has its own idempotency key.
  const [keys] = useState(() => ({ 0: newKey(), 1: newKey() }));
  const [isDirty, setDirty] = useState(false);
  const [error, setError] = useState<DisplayError>();
  const markets = useRead(market.list, LISTED_MARKETS, { staleTime: 60_000 });
  const add = useAction(signal.add);
  const change = useAction(signal.change);
  const state = (row?.state ?? SIGNAL.draft) as SignalState;
  const isBusy = add.pending || change.pending;
  const futuresMarkets = useMemo(() => (markets.data?.list ?? []).filter(({ future }) => future === 1), [markets.data]);
  useTabGuard(isDirty);

  async function submit(to: 0 | 1) {
    const values = await form.validateFields().catch(() => undefined);
    if (!values) return;
    const input = inputOf(values);
    const failed = await settle(async () => {
      const outcome = row
        ? await change.submit({ id: row.id, version: row.version, ...changesOf(input, row), state: to }, keys[to])
        : await add.submit({ ...input, state: to }, keys[to]);
      if (outcome.kind === 'done')
        toast.success(`${to === SIGNAL.running && state === SIGNAL.draft ? '已发布' : '已保存'}信号 · ${input.title}`);
    });
    setError(failed);
    if (!failed) close();
  }

  function close() {
    setDirty(false);
    onClose();
  }

  return (
    <SaveModal
      title={row ? `编辑信号 #${row.id}` : '新增信号'}
      width={860}
      verb={state === SIGNAL.draft ? '发布' : '保存'}
      busy={isBusy}
      dirty={isDirty}
      error={error}
      stateText={stateText}
      actions={
        state === SIGNAL.draft && (
          <Button disabled={isBusy} onClick={() => void submit(0)}>
            保存草稿
          </Button>
        )
      }
      onSave={() => void submit(1)}
      onClose={close}
    >
      {state === SIGNAL.running && (
        <p className="ht-dialog-consequence">
          信号已发布：市场、方向、杠杆、入场价与开始时间不能再改。保存后平台立即按新的内容展示，已有跟单不受影响。
        </p>
      )}
      <GuardNote call={row ? 'signal.change' : 'signal.add'} />
      <SignalForm
        form={form}
        first={initial}
        markets={withSignalMarket(futuresMarkets, markets.data?.list, row)}
        editable={signalEditableFields[state]}
        busy={isBusy}
        onDirty={() => setDirty(true)}
      />
    </SaveModal>
  );
}

/** Adds the market of the signal if futures are no longer enabled there, so that the field can show it. */
function withSignalMarket(
  futuresMarkets: readonly MarketRow[],
  all: readonly MarketRow[] | undefined,
  row: SignalRow | undefined,
) {
  const signalMarket = row && all?.find(({ id }) => id === row.marketId);
  return signalMarket && !futuresMarkets.includes(signalMarket) ? [signalMarket, ...futuresMarkets] : futuresMarkets;
}

function freshValues(now: number): SignalValues {
  const minute = Math.ceil(now / 60_000) * 60_000;
  const none = { price: '', takeProfit: '', stopLoss: '', minAmount: '', maxAmount: '' };
  return { title: '', side: 1, leverage: '10', ratio: '10', startAt: minute, endAt: minute + DAY_MS, ...none };
}

function valuesOf(row: SignalRow): SignalValues {
  const { title, marketId, price, ratio, minAmount, maxAmount, startAt, endAt } = row;
  const times = { startAt, endAt };
  return {
    title,
    marketId,
    side: row.side === 2 ? 2 : 1,
    leverage: String(row.leverage),
    price,
    takeProfit: row.takeProfit ?? '',
    stopLoss: row.stopLoss ?? '',
    ratio,
    minAmount,
    maxAmount,
    ...times,
  };
}

function inputOf(values: SignalValues): SignalAdd {
  const { title, marketId = 0, side, leverage, startAt = 0, endAt = 0 } = values;
  return {
    title: title.trim(),
    marketId,
    side,
    leverage: Number(leverage),
    price: amountOf(values.price) ?? values.price,
    takeProfit: amountOf(values.takeProfit) ?? null,
    stopLoss: amountOf(values.stopLoss) ?? null,
    ratio: amountOf(values.ratio) ?? values.ratio,
    minAmount: amountOf(values.minAmount) ?? values.minAmount,
    maxAmount: amountOf(values.maxAmount) ?? values.maxAmount,
    startAt,
    endAt,
  };
}

/** Only the fields that the operator changed, so that a change by somebody else is not overwritten. */
const changesOf = (input: SignalAdd, row: SignalRow): Partial<SignalAdd> =>
  Object.fromEntries(signalFields.filter((field) => input[field] !== row[field]).map((field) => [field, input[field]]));
