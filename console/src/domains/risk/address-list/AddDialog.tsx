import { ADDRESS_LIST, addressList } from '@hengtai/contract/risk/address-list/calls';
import { addressLists } from '@hengtai/contract/risk/address-list/facts';
import { Checkbox, Input, Radio } from 'antd';
import { useId } from 'react';
import { useSaveForm } from '../../../actions/use-save-form.ts';
import { useFourEyesLocked } from '../../../api/me.ts';
import { toast } from '../../../api/toast.ts';
import { MomentField } from '../../../ui/form/MomentField.tsx';
import { SaveForm, SaveModal } from '../../../ui/dialog/SaveModal.tsx';

interface Fields {
  list: 1 | 2;
  address: string;
  network: string;
  memo: string;
  anyMemo: boolean;
  expiresAt: number | undefined;
  reason: string;
}

const EMPTY: Fields = {
  list: 1,
  address: '',
  network: '',
  memo: '',
  anyMemo: false,
  expiresAt: undefined,
  reason: '',
};
const OPTIONS = ([1, 2] as const).map((value) => ({ value, label: addressLists[value] }));

/** 加入名单: one address. */
export function AddDialog({ onClose }: { onClose: () => void }) {
  const id = useId();
  const form = useSaveForm(addressList.add, EMPTY);
  const { fields, change } = form;
  const isLocked = useFourEyesLocked();
  const { list, address, network, memo, anyMemo, expiresAt, reason } = fields;
  const isAllowed = list === ADDRESS_LIST.allowed;
  const isReady = address.trim() !== '' && reason.trim() !== '' && (!isAllowed || expiresAt !== undefined);
  const save = () => {
    if (!isReady) return;
    const input = {
      list,
      address: address.trim(),
      network: network.trim(),
      memo: memo.trim(),
      anyMemo: isAllowed && anyMemo,
      reason: reason.trim(),
      ...(expiresAt !== undefined && { expiresAt }),
    };
    void form.save(input, ({ kind }) => {
      if (kind === 'done') toast.success(`已加入${addressLists[list]}`);
      onClose();
    });
  };
  return (
    <SaveModal
      title="加入名单"
      width={600}
      verb={isAllowed && isLocked ? '提交复核' : '加入'}
      busy={form.pending}
      dirty={form.isDirty}
      disabled={!isReady}
      error={form.error}
      onSave={save}
      onClose={onClose}
    >
      <SaveForm className="ht-dialog-form" onSave={save}>
        <span id={`${id}list`}>名单</span>
        <Radio.Group
          aria-labelledby={`${id}list`}
          options={OPTIONS}
          value={list}
          onChange={({ target }) => change({ list: target.value as Fields['list'] })}
        />
        <label htmlFor={`${id}address`}>地址</label>
        <Input
          id={`${id}address`}
          value={address}
          maxLength={256}
          autoComplete="off"
          onChange={({ target }) => change({ address: target.value })}
        />
        <label htmlFor={`${id}network`}>网络</label>
        <div>
          <Input
            id={`${id}network`}
            value={network}
            maxLength={32}
            placeholder="TRC20"
            onChange={({ target }) => change({ network: target.value })}
          />
          <p className="ht-dialog-form-hint">
            {isAllowed ? '留空则适用于全部网络' : '仅供参考：黑名单在所有网络上都拦截，同一账户的其他写法也拦截'}
          </p>
        </div>
        <label htmlFor={`${id}memo`}>备注</label>
        <div>
          <Input
            id={`${id}memo`}
            value={memo}
            maxLength={256}
            autoComplete="off"
            disabled={isAllowed && anyMemo}
            onChange={({ target }) => change({ memo: target.value })}
          />
          {isAllowed && (
            <Checkbox
              checked={anyMemo}
              disabled={memo.trim() !== ''}
              onChange={({ target }) => change({ anyMemo: target.checked })}
            >
              任意备注
            </Checkbox>
          )}
          <p className="ht-dialog-form-hint">
            {isAllowed
              ? '网络使用备注（标签）时，留空则只放行没有备注的提现'
              : '留空则拦截该地址的全部备注；填写则只拦截该备注'}
          </p>
        </div>
        <label htmlFor={`${id}expires`}>失效时间</label>
        <div>
          <MomentField id={`${id}expires`} value={expiresAt} onChange={(at) => change({ expiresAt: at })} />
          <p className="ht-dialog-form-hint">{isAllowed ? '白名单须有期限' : '留空则长期有效'}</p>
        </div>
        <label htmlFor={`${id}reason`}>原因</label>
        <Input
          id={`${id}reason`}
          value={reason}
          maxLength={200}
          onChange={({ target }) => change({ reason: target.value })}
        />
      </SaveForm>
      {isAllowed && isLocked && <p className="ht-dialog-form-hint">四眼已锁定：加入白名单须另一位复核员确认。</p>}
    </SaveModal>
  );
}
