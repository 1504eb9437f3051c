import { gatewayKey } from '@hengtai/contract/house/gateway-key/calls';
import type { GatewayKeyRow, GatewayKeySave, GatewayPlatform } from '@hengtai/contract/house/gateway-key/schema';
import { callRights, eventRights } from '@hengtai/contract/gateway/rights';
import { GATEWAY_KEY_NAME_MAX } from '@hengtai/contract/wire/input-values';
import { Checkbox, Input, Select, Switch } from 'antd';
import { useId } from 'react';
import { useSaveForm } from '../../../actions/use-save-form.ts';
import { useFourEyesLocked } from '../../../api/me.ts';
import { toast } from '../../../api/toast.ts';
import { MomentField } from '../../../ui/form/MomentField.tsx';
import { SaveForm, SaveModal } from '../../../ui/dialog/SaveModal.tsx';
import { splitLines } from './words.ts';

interface Fields extends Pick<GatewayKeySave, 'name' | 'platformId' | 'rights' | 'expiresAt' | 'nonce'> {
  /** One network per line. */
  addresses: string;
}

const NEW: Fields = { name: '', rights: [], addresses: '', expiresAt: null, nonce: 1 };
const fieldsOf = ({ name, rights, addresses, expiresAt, nonce }: GatewayKeyRow): Fields => ({
  name,
  rights,
  addresses: addresses.join('\n'),
  expiresAt,
  nonce,
});

const toInput = ({ addresses, ...fields }: Fields, row: GatewayKeyRow | undefined): GatewayKeySave => ({
  ...(row && { id: row.id, seen: row.updatedAt }),
  ...fields,
  name: fields.name.trim(),
  addresses: splitLines(addresses),
});

interface Props {
  /** The key to edit; without it a new one is added. */
  row?: GatewayKeyRow;
  platforms: readonly GatewayPlatform[];
  onClose: () => void;
}

/** 新增密钥 and 编辑密钥. */
export function GatewayKeyDialog({ row, platforms, onClose }: Props) {
  const form = useSaveForm(gatewayKey.save, row ? fieldsOf(row) : NEW);
  const isLocked = useFourEyesLocked();
  const save = () =>
    void form.save(toInput(form.fields, row), ({ kind }) => {
      if (kind === 'done') toast.success(row ? '密钥已保存' : '密钥已新增，签发后可用');
      onClose();
    });

  return (
    <SaveModal
      title={row ? `编辑密钥：${row.name}` : '新增密钥'}
      width={640}
      verb="保存密钥"
      busy={form.pending}
      dirty={form.isDirty}
      error={form.error}
      onSave={save}
      onClose={onClose}
    >
      <SaveForm className="ht-dialog-form" onSave={save}>
        <KeyFields fields={form.fields} platforms={row ? [] : platforms} onChange={form.change} />
      </SaveForm>
      {isLocked && (
        <p className="ht-dialog-form-hint">
          四眼已锁定：新增密钥、增加权限、延长有效期、放宽来源地址、不再要求一次性随机数、改名须另一位复核员确认，其余立即生效。
        </p>
      )}
    </SaveModal>
  );
}

const optionsOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));
const EVENT_OPTIONS = optionsOf(eventRights);
const CALL_OPTIONS = optionsOf(callRights);

interface FieldsProps {
  fields: Fields;
  /** The platforms to choose from; a key keeps its platform. */
  platforms: readonly GatewayPlatform[];
  onChange: (part: Partial<Fields>) => void;
}

function KeyFields({ fields, platforms, onChange }: FieldsProps) {
  const id = useId();
  const { name, platformId = platforms[0]?.id, rights, addresses, expiresAt, nonce } = fields;
  /** Replaces the rights that one group offers. */
  const choose = (labels: object, chosen: string[]) =>
    onChange({ rights: [...rights.filter((right) => !Object.hasOwn(labels, right)), ...chosen] });
  return (
    <>
      <label htmlFor={`${id}name`}>名称</label>
      <Input
        id={`${id}name`}
        value={name}
        maxLength={GATEWAY_KEY_NAME_MAX}
        showCount
        autoComplete="off"
        placeholder="撮合引擎"
        onChange={({ target }) => onChange({ name: target.value })}
      />
      {platforms.length > 1 && (
        <>
          <label htmlFor={`${id}platform`}>交易平台</label>
          <Select
            id={`${id}platform`}
            value={platformId}
            options={platforms.map(({ id: value, name: label }) => ({ value, label }))}
            onChange={(value) => value !== undefined && onChange({ platformId: value })}
          />
        </>
      )}
      <span id={`${id}events`}>上报事件</span>
      <Checkbox.Group
        className="ht-gateway-key-rights"
        aria-labelledby={`${id}events`}
        options={EVENT_OPTIONS}
        value={rights}
        onChange={(chosen) => choose(eventRights, chosen)}
      />
      <span id={`${id}calls`}>其他调用</span>
      <Checkbox.Group
        className="ht-gateway-key-rights"
        aria-labelledby={`${id}calls`}
        options={CALL_OPTIONS}
        value={rights}
        onChange={(chosen) => choose(callRights, chosen)}
      />
      <label htmlFor={`${id}addresses`}>来源地址</label>
      <div>
        <Input.TextArea
          id={`${id}addresses`}
          value={addresses}
          autoSize={{ minRows: 2, maxRows: 6 }}
          placeholder={'10.0.0.0/8\n2001:db8::7'}
          onChange={({ target }) => onChange({ addresses: target.value })}
        />
        <p className="ht-dialog-form-hint">每行一个 IP 地址或网段；留空则不限</p>
      </div>
      <label htmlFor={`${id}expires`}>失效时间</label>
      <div>
        <MomentField
          id={`${id}expires`}
          value={expiresAt ?? undefined}
          onChange={(at) => onChange({ expiresAt: at ?? null })}
        />
        <p className="ht-dialog-form-hint">留空则长期有效</p>
      </div>
      <label htmlFor={`${id}nonce`}>随机数</label>
      <div>
        <Switch id={`${id}nonce`} checked={nonce === 1} onChange={(on) => onChange({ nonce: on ? 1 : 0 })} />
        <p className="ht-dialog-form-hint">每次调用须带一次性随机数（x-nonce），截获的请求不能重放</p>
      </div>
    </>
  );
}
