import { marketStates } from '@hengtai/contract/trading/market/facts';
import { DECIMALS_MAX, LEVERAGE_MAX } from '@hengtai/contract/wire/input-values';
import type { MarketRow } from '@hengtai/contract/trading/market/schema';
import { AMOUNT_PATTERN, SETTLEMENT } from '@hengtai/contract/values/money';
import { Button, Form, Input, Select, Switch } from 'antd';
import { useId, useState } from 'react';
import { operatorDetail } from '../../../navigation/account-cells.tsx';
import { closeTab } from '../../../navigation/close-tab.ts';
import { usePageRoute, useTabGuard } from '../../../navigation/page-route.ts';
import { FormGrid, FormPart } from '../../../ui/form/FormPart.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { PageHeading } from '../../../ui/page/PageHeading.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { AffectedBusiness } from './AffectedBusiness.tsx';
import { Changes } from './Changes.tsx';
import { IconField } from './IconField.tsx';
import { NetworkFields } from './NetworkFields.tsx';
import { PairFields } from './PairFields.tsx';
import { SaveDialog } from './SaveDialog.tsx';
import { NEW_MARKET_VALUES, type Values, changesOf, valuesOf } from './form-values.ts';

interface Props {
  title: string;
  /** undefined to add a market. */
  row: MarketRow | undefined;
  /** A newer version that another operator saved after the form was opened. */
  newer?: MarketRow | undefined;
  onReload?: () => void;
}

const states = Object.entries(marketStates)
  .map(([value, label]) => ({ value: Number(value), label }))
  .toReversed();
/** Two decimal places fewer than the ratio on the wire. */
const percentRule = { pattern: /^-?\d{1,3}(\.\d{1,16})?$/, message: '请输入百分比，最多 16 位小数' };
const amountRule = { pattern: new RegExp(AMOUNT_PATTERN), message: '请输入数值，最多 18 位小数' };

/** Form with all settings of a market. The changes are listed before they are saved. */
export function MarketForm({ title, row, newer, onReload }: Props) {
  const [form] = Form.useForm<Values>();
  const name = useId();
  const route = usePageRoute();
  const [initial] = useState(() => (row ? valuesOf(row) : NEW_MARKET_VALUES));
  const [values, setValues] = useState(initial);
  const [saving, setSaving] = useState<Values>();
  const changes = changesOf(initial, values);
  const isDirty = changes.length > 0;
  useTabGuard(isDirty && !saving);
  const isSettlement = row?.marketName === SETTLEMENT;
  const coin = values.marketName.trim() || '币';
  const syncValues = () => setValues({ ...initial, ...(form.getFieldsValue(true) as Values) });

  return (
    <div className="ht-page ht-market-form-page">
      <PageHeading
        title={title}
        note={
          row && (
            <>
              版本 {row.version}，更新于 <Time value={row.updatedAt} />
            </>
          )
        }
      >
        <Button onClick={() => closeTab(route.key)}>取消</Button>
        <Button type="primary" disabled={!isDirty} onClick={form.submit}>
          {row ? '保存' : '新增'}
        </Button>
      </PageHeading>
      <div className="ht-market-form-body">
        <Form<Values>
          form={form}
          name={name}
          layout="vertical"
          className="ht-market-form"
          initialValues={initial}
          autoComplete="off"
          scrollToFirstError
          onValuesChange={syncValues}
          onFinish={() => setSaving({ ...initial, ...(form.getFieldsValue(true) as Values) })}
        >
          {newer && (
            <p className="ht-market-newer" role="alert">
              {newer.updatedBy ? <b>{operatorDetail(newer.updatedBy)}</b> : '其他人'} 于{' '}
              <Time value={newer.updatedAt} /> 保存了此市场（版本 {newer.version}），现在保存会被拒绝。
              <Button size="small" onClick={onReload}>
                载入最新内容
              </Button>
            </p>
          )}
          <FormPart title="基本信息">
            <FormGrid>
              <Form.Item
                name="marketName"
                label="市场名称"
                extra={
                  row
                    ? '名称是与交易平台对接的标识，不能修改'
                    : '币种代码，例如 DOGE，或交易对，例如 ETH-BTC；新增后不能修改'
                }
                rules={[
                  { required: true, message: '请输入市场名称' },
                  { pattern: /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/, message: '1–32 位字母、数字或 . _ -' },
                ]}
              >
                <Input maxLength={32} disabled={row !== undefined} spellCheck={false} />
              </Form.Item>
              <Form.Item
                name="state"
                label="状态"
                extra={isSettlement ? '结算币种必须上架' : '下架后不再展示；暂停时仍展示，但停止业务'}
              >
                <Select options={states} disabled={isSettlement} />
              </Form.Item>
              <PairFields disabled={row !== undefined} />
              <WholeNumber name="sort" label="排序" extra="小的在前" max={2_147_483_647} />
              <Form.Item name="icon" label="图标">
                <IconField name={coin} />
              </Form.Item>
            </FormGrid>
          </FormPart>
          <FormPart title="业务开关">
            <FormGrid>
              {(['spot', 'future', 'second', 'ieo'] as const).map((field) => (
                <OnOff key={field} name={field} disabled={isSettlement} />
              ))}
              <OnOff name="rechargeState" />
              <OnOff name="withdrawState" />
            </FormGrid>
          </FormPart>
          <FormPart title="交易规则">
            {row?.managed === 1 && <p className="ht-value-faint">交易平台上报过的规则由平台维护，不能在此修改。</p>}
            <FormGrid>
              <WholeNumber name="pricePrecision" label="价格精度" unit="位小数" max={DECIMALS_MAX} />
              <WholeNumber name="amountPrecision" label="数量精度" unit="位小数" max={DECIMALS_MAX} />
              <Amount name="minAmount" label="最小下单" unit={coin} extra="0 为不限" />
              <Amount name="maxAmount" label="最大下单" unit={coin} extra="0 为不限" />
              <Amount name="makerFee" label="挂单费率" unit="%" extra="成交额的百分比，最高 10%，可为负" />
              <Amount name="takerFee" label="吃单费率" unit="%" extra="每笔成交额的百分比，最高 10%" />
              <WholeNumber name="maxLeverage" label="最高杠杆" unit="倍" min={1} max={LEVERAGE_MAX} />
              <Amount name="maintenanceRate" label="维持保证金率" unit="%" extra="占仓位价值，须小于 100% ÷ 最高杠杆" />
            </FormGrid>
          </FormPart>
          <FormPart title="提现规则">
            <FormGrid>
              <Amount name="withdrawFee" label="提现手续费" unit={coin} extra="每笔" />
              <Amount name="withdrawMin" label="最小提现" unit={coin} extra="0 为不限" />
              <Amount name="withdrawMax" label="最大提现" unit={coin} extra="0 为不限" />
            </FormGrid>
          </FormPart>
          <NetworkFields coin={coin} unconfirmed={initial.unconfirmed} />
          <button type="submit" hidden aria-hidden tabIndex={-1} />
        </Form>
        <aside className="ht-market-aside">
          {row && (
            <section className="ht-market-card">
              <h2>最新价</h2>
              <p className="ht-value-large">
                <Money value={newer?.price ?? row.price} unit={row.quote ?? SETTLEMENT} />
              </p>
              <p className="ht-value-faint">价格只来自交易平台推送的成交，不能在此修改。</p>
            </section>
          )}
          <section className="ht-market-card" aria-label="将要修改">
            <h2>将要修改{isDirty && `（${changes.length}）`}</h2>
            {isDirty ? <Changes changes={changes} /> : <p className="ht-value-faint">尚未修改</p>}
          </section>
          {row && <AffectedBusiness id={row.id} />}
        </aside>
      </div>
      {saving && (
        <SaveDialog
          row={row}
          before={initial}
          values={saving}
          onClose={() => setSaving(undefined)}
          onSaved={(id) => {
            closeTab(route.key);
            route.open(id === undefined ? '/market' : `/market?open=${id}`);
          }}
        />
      )}
    </div>
  );
}

interface FieldProps {
  name: keyof Values;
  label: string;
  extra?: string;
  unit?: string;
}

function Amount({ name, label, unit, extra }: FieldProps) {
  return (
    <Form.Item
      name={name}
      label={label}
      extra={extra}
      rules={[{ required: true, message: `请输入${label}` }, unit === '%' ? percentRule : amountRule]}
    >
      <Input inputMode="decimal" maxLength={38} suffix={<span className="ht-value-unit">{unit}</span>} />
    </Form.Item>
  );
}

function WholeNumber({ name, label, unit, extra, min = 0, max }: FieldProps & { min?: number; max: number }) {
  const validateRange = (_rule: unknown, value: unknown) =>
    typeof value === 'number' && value >= min && value <= max
      ? Promise.resolve()
      : Promise.reject(new Error(`请输入 ${min}–${max.toLocaleString('en-US')} 的整数`));
  return (
    <Form.Item
      name={name}
      label={label}
      extra={extra}
      required
      rules={[{ validator: validateRange }]}
      getValueFromEvent={(event: { target: { value: string } }) => parseWholeNumber(event.target.value)}
    >
      <Input inputMode="numeric" maxLength={10} suffix={unit && <span className="ht-value-unit">{unit}</span>} />
    </Form.Item>
  );
}

/** Parses a whole number. Other text is returned unchanged, so that the operator can correct it. */
const parseWholeNumber = (text: string): number | string => (/^\d{1,10}$/.test(text.trim()) ? Number(text) : text);

const switchWords = {
  spot: '现货',
  future: '合约',
  second: '秒合约',
  ieo: '认购',
  rechargeState: '充值',
  withdrawState: '提现',
};

function OnOff({ name, disabled = false }: { name: keyof typeof switchWords; disabled?: boolean }) {
  return (
    <Form.Item name={name} label={switchWords[name]} valuePropName="checked" layout="horizontal" colon={false}>
      <Switch checkedChildren="开" unCheckedChildren="关" disabled={disabled} />
    </Form.Item>
  );
}
