import { channel, channelTypes } from '@hengtai/contract/desk/channel/calls';
import type { ChannelList, ChannelRow, ChannelSave, ChannelSaved } from '@hengtai/contract/desk/channel/schema';
import {
  CHANNEL_ADDRESS_MAX,
  CHANNEL_KEY_MAX,
  CHANNEL_NAME_MAX,
  type ChannelKind,
  channelKinds,
} from '@hengtai/contract/wire/input-values';
import { notificationSpecs } from '@hengtai/contract/desk/notify/notification';
import { Checkbox, Input, Radio, Switch } from 'antd';
import { useId } from 'react';
import { useSaveForm } from '../../../actions/use-save-form.ts';
import { toast } from '../../../api/toast.ts';
import { SaveForm, SaveModal } from '../../../ui/dialog/SaveModal.tsx';
import { addressWords } from './words.ts';

const TYPES = channelTypes.map((type) => ({ value: type, label: notificationSpecs[type].label }));
const RINGING = channelTypes.filter((type) => notificationSpecs[type].rings);

interface Props {
  /** The channel to edit; without it a new one is created. */
  row?: ChannelRow;
  house: ChannelList;
  onClose: () => void;
  onDone: (saved: ChannelSaved) => void;
}

const newChannel = (kind: ChannelKind): ChannelSave => ({ kind, name: '', types: [...RINGING], enabled: 1 });
const toInput = ({ id, kind, name, types, enabled }: ChannelRow): ChannelSave => ({ id, kind, name, types, enabled });

/** 添加渠道 and 编辑渠道. */
export function ChannelDialog({ row, house, onClose, onDone }: Props) {
  const form = useSaveForm(channel.save, row ? toInput(row) : newChannel(house.kinds[0] ?? 'webhook'));

  function save() {
    const { address = '', signingKey = '', ...rest } = form.fields;
    const input = {
      ...rest,
      name: rest.name.trim(),
      ...(address.trim() !== '' && { address: address.trim() }),
      ...(signingKey.trim() !== '' && { signingKey: signingKey.trim() }),
    };
    void form.save(input, (outcome) => {
      if (outcome.kind === 'done') onDone(outcome.data);
      toast.success('渠道已保存');
    });
  }

  return (
    <SaveModal
      title={row ? `编辑渠道：${row.name}` : '添加渠道'}
      width={680}
      verb="保存渠道"
      busy={form.pending}
      error={form.error}
      onSave={save}
      onClose={onClose}
    >
      <SaveForm className="ht-dialog-form" onSave={save}>
        <ChannelFields input={form.fields} row={row} house={house} onChange={form.change} />
      </SaveForm>
    </SaveModal>
  );
}

interface FieldsProps {
  input: ChannelSave;
  row: ChannelRow | undefined;
  house: ChannelList;
  onChange: (part: Partial<ChannelSave>) => void;
}

function ChannelFields({ input, row, house, onChange }: FieldsProps) {
  const id = useId();
  const { kind, name, address = '', types, enabled, renewSecret = 0 } = input;
  const { label, example } = addressWords[kind];
  return (
    <>
      <span id={`${id}kind`}>方式</span>
      <Radio.Group
        aria-labelledby={`${id}kind`}
        disabled={row !== undefined}
        value={kind}
        onChange={({ target }) => onChange({ kind: target.value as ChannelKind, address: '', signingKey: '' })}
        options={(row ? [kind] : house.kinds).map((value) => ({ value, label: channelKinds[value] }))}
      />
      <label htmlFor={`${id}name`}>名称</label>
      <Input
        id={`${id}name`}
        value={name}
        maxLength={CHANNEL_NAME_MAX}
        showCount
        autoComplete="off"
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <label htmlFor={`${id}address`}>{label}</label>
      <div>
        <Input
          id={`${id}address`}
          value={address}
          maxLength={CHANNEL_ADDRESS_MAX}
          autoComplete="off"
          placeholder={row ? `不修改（${row.address}）` : example}
          onChange={({ target }) => onChange({ address: target.value })}
        />
        {kind !== 'telegram' && <p className="ht-dialog-form-hint">允许的主机和邮箱域名：{house.hosts.join('、')}</p>}
      </div>
      {kind === 'feishu' && <SigningKeyField input={input} isNew={row === undefined} onChange={onChange} />}
      <span id={`${id}types`}>通知</span>
      <Checkbox.Group
        className="ht-channel-types"
        aria-labelledby={`${id}types`}
        options={TYPES}
        value={types}
        onChange={(chosen) => onChange({ types: chosen })}
      />
      <label htmlFor={`${id}enabled`}>启用</label>
      <div>
        <Switch id={`${id}enabled`} checked={enabled === 1} onChange={(on) => onChange({ enabled: on ? 1 : 0 })} />
      </div>
      {row && kind === 'webhook' && (
        <>
          <span>签名密钥</span>
          <Checkbox
            checked={renewSecret === 1}
            onChange={({ target }) => onChange({ renewSecret: target.checked ? 1 : 0 })}
          >
            更换密钥，旧密钥立即失效
          </Checkbox>
        </>
      )}
    </>
  );
}

/** The key of a bot that verifies signatures. Without a new address an empty field leaves the stored key as it is. */
function SigningKeyField({ input, isNew, onChange }: Pick<FieldsProps, 'input' | 'onChange'> & { isNew: boolean }) {
  const id = useId();
  const { address = '', signingKey = '' } = input;
  const isKept = !isNew && address.trim() === '';
  return (
    <>
      <label htmlFor={id}>签名密钥</label>
      <div>
        <Input
          id={id}
          value={signingKey}
          maxLength={CHANNEL_KEY_MAX}
          autoComplete="off"
          placeholder={isKept ? '不修改' : '机器人未启用签名校验则留空'}
          onChange={({ target }) => onChange({ signingKey: target.value })}
        />
        <p className="ht-dialog-form-hint">
          {isNew ? '机器人启用「签名校验」时填写' : '更换机器人地址时一并填写；取消签名校验时重新填写地址，密钥留空'}
        </p>
      </div>
    </>
  );
}
