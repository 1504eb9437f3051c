import './binary-contract.css';
import { SETTLEMENT, canonical } from '@hengtai/contract/values/money';
import { BINARY_CONTRACT_LENGTH_MAX } from '@hengtai/contract/wire/input-values';
import { PAYOUT_RATE_MAX, binaryContract } from '@hengtai/contract/trading/binary-contract/calls';
import type {
  BinaryContractConfigRow,
  BinaryContractConfigSave,
} from '@hengtai/contract/trading/binary-contract/schema';
import { Input, Select, Switch } from 'antd';
import { useState } from 'react';
import { useTabGuard } from '../../../navigation/page-route.ts';
import { GuardNote } from '../../../actions/LockedNote.tsx';
import { amountOf } from '../../../ui/value/amount.ts';
import { FormField, FormGrid } from '../../../ui/form/FormPart.tsx';
import { AmountInput } from '../../../ui/form/AmountInput.tsx';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';

interface Props {
  /** undefined to add a setting. */
  row: BinaryContractConfigRow | undefined;
  markets: Readonly<Record<string, string>>;
  onClose: () => void;
}

const REASONS = ['调整收益率', '调整限额', '新增时长', '停用'] as const;

interface Form {
  marketId: number;
  seconds: string;
  payoutRate: string;
  minAmount: string;
  maxAmount: string;
  sort: string;
  state: 0 | 1;
}

const formOf = (row: BinaryContractConfigRow | undefined): Form => ({
  marketId: row?.marketId ?? 0,
  seconds: row ? String(row.seconds) : '',
  payoutRate: row?.payoutRate ?? '',
  minAmount: row?.minAmount ?? '10',
  maxAmount: row?.maxAmount ?? '0',
  sort: String(row?.sort ?? 0),
  state: row?.state === 0 ? 0 : 1,
});

/** Level 2: adds or changes the payout rate and limits of one contract length, for new contracts. */
export function ConfigDialog({ row, markets, onClose }: Props) {
  const [initial] = useState(() => formOf(row));
  const [form, setForm] = useState(initial);
  const change = (fields: Partial<Form>) => setForm((old) => ({ ...old, ...fields }));
  const isDirty = JSON.stringify(form) !== JSON.stringify(initial);
  useTabGuard(isDirty);
  const parsed = parseForm(form);

  return (
    <ActionDialog
      call={binaryContract.configSave}
      input={{ ...(parsed as BinaryContractConfigSave), ...(row && { id: row.id, version: row.version }) }}
      title={row ? `秒合约设置 #${row.id}` : '新增秒合约设置'}
      verb={row ? '保存' : '新增'}
      width={680}
      details={[]}
      dirty={isDirty}
      blocked={typeof parsed === 'string' ? parsed : isDirty ? undefined : '没有改动'}
      consequence="保存后立即通知交易平台，只影响此后新开的秒合约；已开的合约按下单时的收益率结算。市场自己的设置优先于「全部市场」的相同时长；停用后该市场不再接受此时长。"
      reason={{ chips: REASONS }}
      onClose={onClose}
    >
      <FormGrid>
        <FormField label="市场" hint="市场自己的设置优先于「全部市场」">
          {(id) => (
            <Select
              id={id}
              value={form.marketId}
              onChange={(marketId: number) => change({ marketId })}
              options={[
                { value: 0, label: '全部市场' },
                ...Object.entries(markets)
                  .filter(([, name]) => name !== SETTLEMENT)
                  .map(([id, label]) => ({ value: Number(id), label })),
              ]}
            />
          )}
        </FormField>
        <FormField label="时长" hint={`1–${BINARY_CONTRACT_LENGTH_MAX.toLocaleString('en-US')}`}>
          {(id) => (
            <WholeNumberInput
              id={id}
              label="时长"
              value={form.seconds}
              unit="秒"
              onChange={(seconds) => change({ seconds })}
            />
          )}
        </FormField>
        <FormField label="收益率" hint={`用户赢时得到下单金额的百分比，最高 ${PAYOUT_RATE_MAX}`}>
          {(id) => (
            <AmountInput
              id={id}
              label="收益率"
              value={form.payoutRate}
              unit="%"
              onChange={(payoutRate) => change({ payoutRate })}
            />
          )}
        </FormField>
        <FormField label="排序" hint="小的在前">
          {(id) => <WholeNumberInput id={id} label="排序" value={form.sort} onChange={(sort) => change({ sort })} />}
        </FormField>
        <FormField label="最小下单">
          {(id) => (
            <AmountInput
              id={id}
              label="最小下单"
              value={form.minAmount}
              unit={SETTLEMENT}
              onChange={(minAmount) => change({ minAmount })}
            />
          )}
        </FormField>
        <FormField label="最大下单" hint="0 为不限">
          {(id) => (
            <AmountInput
              id={id}
              label="最大下单"
              value={form.maxAmount}
              unit={SETTLEMENT}
              onChange={(maxAmount) => change({ maxAmount })}
            />
          )}
        </FormField>
        <FormField label="启用">
          {(id) => <Switch id={id} checked={form.state === 1} onChange={(on) => change({ state: on ? 1 : 0 })} />}
        </FormField>
      </FormGrid>
      <GuardNote call="second.configSave" />
    </ActionDialog>
  );
}

/** The input of the call, or the message about the first invalid field. */
function parseForm(form: Form): BinaryContractConfigSave | string {
  const seconds = Number(form.seconds);
  if (form.seconds === '') return '请输入时长';
  if (seconds < 1 || seconds > BINARY_CONTRACT_LENGTH_MAX) return `时长为 1–${BINARY_CONTRACT_LENGTH_MAX} 秒`;
  const payoutRate = amountOf(form.payoutRate);
  if (payoutRate === undefined) return '请输入收益率';
  if (isAbove(payoutRate, String(PAYOUT_RATE_MAX))) return `收益率不能超过 ${PAYOUT_RATE_MAX}%`;
  const minAmount = amountOf(form.minAmount);
  if (minAmount === undefined) return '请输入最小下单';
  const maxAmount = amountOf(form.maxAmount) ?? '0';
  if (maxAmount !== '0' && isAbove(minAmount, maxAmount)) return '最大下单不能小于最小下单';
  const { marketId, state } = form;
  return { marketId, seconds, payoutRate: canonical(payoutRate), minAmount, maxAmount, sort: Number(form.sort), state };
}

/** True if `a` > `b`. Both are canonical decimals without sign, compared as text because a number would lose digits. */
function isAbove(a: string, b: string): boolean {
  const [wholeA = '', fractionA = ''] = a.split('.');
  const [wholeB = '', fractionB = ''] = b.split('.');
  if (wholeA.length !== wholeB.length) return wholeA.length > wholeB.length;
  return wholeA === wholeB ? fractionA > fractionB : wholeA > wholeB;
}

interface WholeNumberInputProps {
  id: string;
  label: string;
  value: string;
  unit?: string;
  onChange: (value: string) => void;
}

const WholeNumberInput = ({ id, label, value, unit, onChange }: WholeNumberInputProps) => (
  <Input
    id={id}
    inputMode="numeric"
    autoComplete="off"
    placeholder={`请输入${label}`}
    value={value}
    suffix={unit && <span className="ht-value-unit">{unit}</span>}
    onChange={({ target }) => /^\d{0,5}$/.test(target.value) && onChange(target.value)}
  />
);
