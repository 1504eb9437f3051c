import '../../../ui/form/form-part.css';
import './signal.css';
import { futureSides } from '@hengtai/contract/trading/future/calls';
import { SIGNAL_TITLE_MAX } from '@hengtai/contract/wire/input-values';
import type { MarketRow } from '@hengtai/contract/trading/market/schema';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import { SIGNAL_RATIO_DECIMALS, SIGNAL_RATIO_MAX, type SignalField } from '@hengtai/contract/trading/signal/calls';
import { Form, type FormInstance, Input, Radio, Select } from 'antd';
import { MomentField } from '../../../ui/form/MomentField.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { parseAmount } from '../../../ui/value/amount.ts';

/** Values of the form. Prices and amounts are the typed text. */
export interface SignalValues {
  title: string;
  marketId?: number;
  side: 1 | 2;
  leverage: string;
  price: string;
  takeProfit: string;
  stopLoss: string;
  ratio: string;
  minAmount: string;
  maxAmount: string;
  startAt?: number;
  endAt?: number;
}

interface Props {
  form: FormInstance<SignalValues>;
  first: SignalValues;
  markets: readonly MarketRow[];
  /** The fields that can still be changed. */
  editable: readonly SignalField[];
  busy: boolean;
  onDirty: () => void;
}

const cleanAmount = (text: string): string => parseAmount(text) ?? '';
const cleanDigits = (text: string): string => text.replaceAll(/\D/g, '');
const valueFromEvent = (clean: (text: string) => string) => (event: React.ChangeEvent<HTMLInputElement>) =>
  clean(event.target.value);

/** The terms of a signal. After publication the terms that users agreed to are disabled. */
export function SignalForm({ form, first, markets, editable, busy, onDirty }: Props) {
  const marketId = Form.useWatch('marketId', form);
  const isLong = Form.useWatch('side', form) !== 2;
  const market = markets.find(({ id }) => id === marketId);
  const isDisabled = (field: SignalField) => busy || !editable.includes(field);
  const amount = (field: SignalField, label: string, more: { required?: boolean; extra?: React.ReactNode } = {}) => (
    <Form.Item
      name={field}
      label={label}
      {...(field === 'ratio' && { className: 'ht-form-wide' })}
      getValueFromEvent={valueFromEvent(cleanAmount)}
      extra={more.extra}
      rules={more.required === false ? [] : [{ required: true, message: `请输入${label}` }]}
    >
      <Input
        inputMode="decimal"
        autoComplete="off"
        disabled={isDisabled(field)}
        suffix={<span className="ht-value-unit">{field === 'ratio' ? '%' : SETTLEMENT}</span>}
      />
    </Form.Item>
  );
  return (
    <Form<SignalValues>
      form={form}
      initialValues={first}
      layout="vertical"
      requiredMark
      onValuesChange={onDirty}
      className="ht-form-grid ht-signal-form"
    >
      <Form.Item name="title" label="标题" className="ht-form-wide" rules={[{ required: true, message: '请输入标题' }]}>
        <Input maxLength={SIGNAL_TITLE_MAX} autoComplete="off" disabled={isDisabled('title')} />
      </Form.Item>
      <Form.Item
        name="marketId"
        label="市场"
        rules={[{ required: true, message: '请选择市场' }]}
        extra={
          market && (
            <>
              现价 <Money value={market.price} unit={SETTLEMENT} /> · 价格 {market.pricePrecision} 位小数
            </>
          )
        }
      >
        <Select
          showSearch
          optionFilterProp="label"
          disabled={isDisabled('marketId')}
          options={markets.map(({ id, marketName }) => ({ value: id, label: marketName }))}
        />
      </Form.Item>
      <Form.Item name="side" label="方向">
        <Radio.Group
          disabled={isDisabled('side')}
          optionType="button"
          options={Object.entries(futureSides).map(([value, label]) => ({ value: Number(value), label }))}
        />
      </Form.Item>
      <Form.Item
        name="leverage"
        label="杠杆"
        getValueFromEvent={valueFromEvent(cleanDigits)}
        rules={[{ required: true, message: '请输入杠杆' }]}
        extra={market && `最高 ${market.maxLeverage} 倍`}
      >
        <Input
          inputMode="numeric"
          autoComplete="off"
          maxLength={4}
          disabled={isDisabled('leverage')}
          suffix={<span className="ht-value-unit">倍</span>}
        />
      </Form.Item>
      {amount('price', '入场价')}
      {amount('takeProfit', '止盈价', { required: false, extra: `选填，须${isLong ? '高于' : '低于'}入场价` })}
      {amount('stopLoss', '止损价', { required: false, extra: `选填，须${isLong ? '低于' : '高于'}入场价` })}
      {amount('minAmount', '最小跟单')}
      {amount('maxAmount', '最大跟单')}
      {amount('ratio', '跟单比例', {
        extra: `智能跟单占合约可用余额，0–${SIGNAL_RATIO_MAX}，${SIGNAL_RATIO_DECIMALS} 位小数`,
      })}
      <Form.Item name="startAt" label="开始时间" rules={[{ required: true, message: '请选择开始时间' }]}>
        <MomentField disabled={isDisabled('startAt')} />
      </Form.Item>
      <Form.Item
        name="endAt"
        label="结束时间"
        rules={[{ required: true, message: '请选择结束时间' }]}
        extra="到时自动结束，已有跟单不受影响"
      >
        <MomentField disabled={isDisabled('endAt')} />
      </Form.Item>
    </Form>
  );
}
