import { market } from '@hengtai/contract/market';
import type { MarketRow } from '@hengtai/contract/market.schema';
import { SIGNAL, type SignalState, signal, signalFields, signalEditableFields } from '@hengtai/contract/signal';
import type { SignalAdd, SignalRow } from '@hengtai/contract/signal.schema';
import { Button, Form } from 'antd';
import { useMemo, useState } from 'react';
import { settle } from '../../api/display-error.ts';
import { newKey, useAction, useRead } from '../../api/hooks.ts';
import { toast } from '../../api/toast.ts';
import { useTabGuard } from '../../shell/page-route.ts';
import { ErrorMessage } from '../../ui/ErrorMessage.tsx';
import { PageModal } from '../../ui/PageModal.tsx';
import { amountOf } from '../../ui/amount.ts';
import type { DisplayError } from '../../ui/display-error.ts';
import { SignalForm, type SignalValues } from './SignalForm.tsx';
import { stateText } from './words.ts';

interface Props {
  /** What is changed; absent where a signal is added. */
  row: SignalRow | undefined;
  onClose: () => void;
}

const STALE = [signal.list, signal.detail];
const LISTED = { size: 200, state: 1 } as const;
const DAY_MS = 86_400_000;

/** A signal is written: kept as a draft, or published. What was published is changed as far as it still may be. */
export function SignalDialog({ row, onClose }: Props) {
  const [form] = Form.useForm<SignalValues>();
  const [first] = useState(() => (row ? valuesOf(row) : freshValues(Date.now())));
  // Each wish has its own key: a draft that was refused may well be published next.
  const [keys] = useState(() => ({ 0: newKey(), 1: newKey() }));
  const [dirty, setDirty] = useState(false);
  const [error, setError] = useState<DisplayError>();
  const markets = useRead(market.list, LISTED, { staleTime: 60_000 });
  const add = useAction(signal.add, { invalidate: STALE });
  const change = useAction(signal.change, { invalidate: STALE });
  const state = (row?.state ?? SIGNAL.draft) as SignalState;
  const busy = add.pending || change.pending;
  const trading = useMemo(() => (markets.data?.list ?? []).filter(({ future }) => future === 1), [markets.data]);
  useTabGuard(dirty);

  async function submit(to: 0 | 1) {
    const values = await form.validateFields().catch(() => undefined);
    if (!values) return;
    const input = inputOf(values);
    const failed = await settle(async () => {
      const outcome = row
        ? await change.submit({ id: row.id, version: row.version, ...changesOf(input, row), state: to }, keys[to])
        : await add.submit({ ...input, state: to }, keys[to]);
      if (outcome.kind === 'done') toast.success(to === 1 && state === 0 ? '信号已发布' : outcome.msg);
    });
    setError(failed);
    if (!failed) close();
  }

  function close() {
    setDirty(false);
    onClose();
  }

  return (
    <PageModal
      title={row ? `编辑信号 #${row.id}` : '新增信号'}
      width={860}
      closable={!busy}
      keyboard={!busy && !dirty}
      onCancel={() => !busy && close()}
      footer={
        <>
          <Button disabled={busy} onClick={close}>
            取消
          </Button>
          {state === SIGNAL.draft && (
            <Button disabled={busy} onClick={() => void submit(0)}>
              保存草稿
            </Button>
          )}
          <Button type="primary" loading={busy} onClick={() => void submit(1)}>
            {state === SIGNAL.draft ? '发布' : '保存'}
          </Button>
        </>
      }
    >
      {state === SIGNAL.running && (
        <p className="ht-consequence">
          信号已发布：市场、方向、杠杆、入场价与开始时间不能再改。保存后平台立即按新的内容展示，已有跟单不受影响。
        </p>
      )}
      <SignalForm
        form={form}
        first={first}
        markets={withOwn(trading, markets.data?.list, row)}
        may={signalEditableFields[state]}
        busy={busy}
        onDirty={() => setDirty(true)}
      />
      {error && <ErrorMessage error={error} stateText={stateText} />}
    </PageModal>
  );
}

/** Also a market that is not offered any more, where the signal is of it. */
function withOwn(trading: readonly MarketRow[], all: readonly MarketRow[] | undefined, row: SignalRow | undefined) {
  const own = row && all?.find(({ id }) => id === row.marketId);
  return own && !trading.includes(own) ? [own, ...trading] : trading;
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

/** What is other than it was read: nothing that somebody else may have set is sent along. */
const changesOf = (input: SignalAdd, row: SignalRow): Partial<SignalAdd> =>
  Object.fromEntries(signalFields.filter((field) => input[field] !== row[field]).map((field) => [field, input[field]]));
