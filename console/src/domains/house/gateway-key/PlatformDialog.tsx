import { gatewayKey } from '@hengtai/contract/house/gateway-key/calls';
import type { GatewayPlatform } from '@hengtai/contract/house/gateway-key/schema';
import { GATEWAY_KEY_NAME_MAX } from '@hengtai/contract/wire/input-values';
import { Checkbox, Input } from 'antd';
import { useId } from 'react';
import { useSaveForm } from '../../../actions/use-save-form.ts';
import { useFourEyesLocked } from '../../../api/me.ts';
import { toast } from '../../../api/toast.ts';
import { SaveForm, SaveModal } from '../../../ui/dialog/SaveModal.tsx';
import { splitLines } from './words.ts';

interface Props {
  /** The platform to edit; without it a new one is added. */
  row?: GatewayPlatform;
  isDefault: boolean;
  onClose: () => void;
}

interface Fields {
  name: string;
  hasAllMarkets: boolean;
  /** One name per line. */
  markets: string;
}

const fieldsOf = (row: GatewayPlatform | undefined): Fields => ({
  name: row?.name ?? '',
  hasAllMarkets: row?.markets === null,
  markets: row?.markets?.join('\n') ?? '',
});

/** 新增平台 and 编辑平台. */
export function PlatformDialog({ row, isDefault, onClose }: Props) {
  const id = useId();
  const form = useSaveForm(gatewayKey.platformSave, fieldsOf(row));
  const { fields, change } = form;
  const isLocked = useFourEyesLocked();
  const input = {
    ...(row && { id: row.id, seen: row.updatedAt }),
    name: fields.name.trim(),
    markets: fields.hasAllMarkets ? null : splitLines(fields.markets),
  };
  const save = () =>
    void form.save(input, ({ kind }) => {
      if (kind === 'done') toast.success('平台已保存');
      onClose();
    });

  return (
    <SaveModal
      title={row ? `编辑平台：${row.name}` : '新增平台'}
      width={560}
      verb="保存平台"
      busy={form.pending}
      dirty={form.isDirty}
      error={form.error}
      onSave={save}
      onClose={onClose}
    >
      <SaveForm className="ht-dialog-form" onSave={save}>
        <label htmlFor={`${id}name`}>名称</label>
        <Input
          id={`${id}name`}
          value={fields.name}
          maxLength={GATEWAY_KEY_NAME_MAX}
          showCount
          autoComplete="off"
          onChange={({ target }) => change({ name: target.value })}
        />
        <label htmlFor={`${id}markets`}>市场</label>
        <div>
          <Checkbox
            checked={fields.hasAllMarkets}
            disabled={isDefault}
            onChange={({ target }) => change({ hasAllMarkets: target.checked })}
          >
            全部市场
          </Checkbox>
          {!fields.hasAllMarkets && (
            <>
              <Input.TextArea
                id={`${id}markets`}
                value={fields.markets}
                autoSize={{ minRows: 3, maxRows: 8 }}
                placeholder={'BTC\nETH'}
                onChange={({ target }) => change({ markets: target.value })}
              />
              <p className="ht-dialog-form-hint">每行一个市场名称；USDT 始终包含在内</p>
            </>
          )}
        </div>
      </SaveForm>
      {isLocked && (
        <p className="ht-dialog-form-hint">四眼已锁定：新增平台、增加市场、改名须另一位复核员确认，减少立即生效。</p>
      )}
    </SaveModal>
  );
}
