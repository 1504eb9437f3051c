import { families, familyKeys } from '@hengtai/contract/values/destination';
import { NETWORKS_MAX } from '@hengtai/contract/wire/input-values';
import { AMOUNT_PATTERN } from '@hengtai/contract/values/money';
import { familyOf } from '@hengtai/contract/values/network';
import { Button, Form, Input, Select, Switch } from 'antd';
import { FormGrid, FormPart } from '../../../ui/form/FormPart.tsx';

const AMOUNT = new RegExp(AMOUNT_PATTERN);
/** Whole minutes of at most a week. */
const MINUTES = /^(?:\d{1,4}|100[0-7]\d|10080)$/;
const POSITIVE_MINUTES = /^(?:[1-9]\d{0,3}|100[0-7]\d|10080)$/;
const EXPLORER = /^https?:\/\/[^\s<>"]+$/;

/** The deposit and withdrawal networks of a coin, each with its own switches. */
export function NetworkFields({ coin, unconfirmed }: { coin: string; unconfirmed: readonly string[] }) {
  return (
    <FormPart title="网络">
      {unconfirmed.length > 0 && (
        <p className="ht-market-note" role="note">
          待确认：{unconfirmed.join('、')}。升级按最近 180 天的记录补入并开放，保存即确认；不支持的请移除或关闭。
        </p>
      )}
      <Form.List name="networks">
        {(fields, { add, remove }) => (
          <>
            {fields.length === 0 && <p className="ht-value-faint">没有列出网络，充值与提现不限网络。</p>}
            {fields.map(({ key, name }, index) => (
              <div key={key} className="ht-market-network" role="group" aria-label={`网络 ${index + 1}`}>
                <header>
                  <b>网络 {index + 1}</b>
                  <OnOff name={[name, 'recharge']} label="充值" />
                  <OnOff name={[name, 'withdraw']} label="提现" />
                  <Button size="small" onClick={() => remove(name)} aria-label={`移除网络 ${index + 1}`}>
                    移除
                  </Button>
                </header>
                <FormGrid>
                  <Form.Item
                    name={[name, 'network']}
                    label="名称"
                    rules={[{ required: true, whitespace: true, message: '请输入名称' }]}
                  >
                    <Input maxLength={32} spellCheck={false} placeholder="TRC20" />
                  </Form.Item>
                  <Form.Item
                    name={[name, 'fee']}
                    label="网络手续费"
                    rules={[
                      { required: true, message: '请输入网络手续费' },
                      { pattern: AMOUNT, message: '请输入数值' },
                    ]}
                  >
                    <Input inputMode="decimal" maxLength={38} suffix={<span className="ht-value-unit">{coin}</span>} />
                  </Form.Item>
                  <FamilyField name={name} />
                  <Form.Item
                    name={[name, 'payingMinutes']}
                    label="打款无回应时限"
                    extra="留空按系统设置，0 为不转为结果不明"
                    rules={[{ pattern: MINUTES, message: '请输入不大于 10080 的整数' }]}
                  >
                    <Input inputMode="numeric" maxLength={5} suffix={<span className="ht-value-unit">分钟</span>} />
                  </Form.Item>
                  <Form.Item
                    name={[name, 'matchMinutes']}
                    label="链上核对时限"
                    extra="留空按系统设置"
                    rules={[{ pattern: POSITIVE_MINUTES, message: '请输入 1 到 10080 的整数' }]}
                  >
                    <Input inputMode="numeric" maxLength={5} suffix={<span className="ht-value-unit">分钟</span>} />
                  </Form.Item>
                  <Form.Item
                    name={[name, 'explorer']}
                    label="区块浏览器"
                    className="ht-form-wide"
                    extra="交易哈希代入 {tx}"
                    rules={[{ pattern: EXPLORER, message: '须以 http:// 或 https:// 开头' }]}
                  >
                    <Input maxLength={256} spellCheck={false} placeholder="https://…/tx/{tx}" />
                  </Form.Item>
                </FormGrid>
              </div>
            ))}
            <Button
              disabled={fields.length >= NETWORKS_MAX}
              onClick={() =>
                add({
                  network: '',
                  recharge: true,
                  withdraw: true,
                  fee: '0',
                  explorer: '',
                  family: '',
                  payingMinutes: '',
                  matchMinutes: '',
                })
              }
            >
              添加网络
            </Button>
          </>
        )}
      </Form.List>
    </FormPart>
  );
}

const familyOptions = familyKeys.map((family) => ({ value: family as string, label: families[family] }));

/** The address format of the network. By default it follows from the name of the network. */
function FamilyField({ name }: { name: number }) {
  const network: unknown = Form.useWatch(['networks', name, 'network']);
  const defaultLabel = families[familyOf(typeof network === 'string' ? network : '')];
  return (
    <Form.Item name={[name, 'family']} label="地址格式" extra="更改后，该币种的地址记录重新补齐">
      <Select
        showSearch
        optionFilterProp="label"
        options={[{ value: '', label: `按名称：${defaultLabel}` }, ...familyOptions]}
      />
    </Form.Item>
  );
}

const OnOff = ({ name, label }: { name: [number, string]; label: string }) => (
  <Form.Item name={name} label={label} valuePropName="checked" layout="horizontal" colon={false}>
    <Switch checkedChildren="开" unCheckedChildren="关" />
  </Form.Item>
);
