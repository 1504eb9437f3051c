import './security.css';
import { passkey } from '@hengtai/contract/house/passkey/calls';
import type { PasskeyRow } from '@hengtai/contract/house/passkey/schema';
import { Input } from 'antd';
import { useId, useState } from 'react';
import { toDisplayError } from '../../../api/display-error.ts';
import { newKey, useAction } from '../../../api/hooks.ts';
import { PasskeyError, makePasskey } from '../../../api/passkey.ts';
import { toast } from '../../../api/toast.ts';
import { SaveModal } from '../../../ui/dialog/SaveModal.tsx';
import { browserOf } from '../../../ui/browser/browser.ts';

interface Props {
  /** The passkey to rename; without one, a new passkey is added. */
  existing?: PasskeyRow;
  /** The operator has no second factor yet, so that the password is asked for. */
  needsPassword?: boolean;
  onClose: (isSaved: boolean) => void;
}

/** Names a passkey and adds it, or renames one. */
export function PasskeyNameDialog({ existing, needsPassword = false, onClose }: Props) {
  const [name, setName] = useState(() => existing?.name ?? browserOf(navigator.userAgent).slice(0, 40));
  const [password, setPassword] = useState('');
  const [errorText, setErrorText] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const enrol = useAction(passkey.enrol);
  const add = useAction(passkey.add);
  const rename = useAction(passkey.rename);
  const isReady = name.trim() !== '' && (!needsPassword || password !== '');
  const id = useId();

  async function save(): Promise<boolean> {
    if (existing) return (await rename.submit({ id: existing.id, name: name.trim() }, newKey())).kind === 'done';
    const options = await enrol.submit(needsPassword ? { password } : {}, newKey());
    if (options.kind !== 'done') return false;
    const made = await makePasskey(options.data);
    const added = await add.submit({ name: name.trim(), ...made }, newKey());
    if (added.kind === 'done') toast.success(added.msg);
    return added.kind === 'done';
  }

  async function submit() {
    if (!isReady || isBusy) return;
    setIsBusy(true);
    setErrorText(undefined);
    try {
      if (await save()) onClose(true);
    } catch (error) {
      setErrorText(error instanceof PasskeyError ? error.message : toDisplayError(error).msg);
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <SaveModal
      title={existing ? '重命名通行密钥' : '添加通行密钥'}
      width={480}
      verb={existing ? '保存' : '添加'}
      busy={isBusy}
      disabled={!isReady}
      onSave={() => void submit()}
      onClose={() => onClose(false)}
    >
      {needsPassword && (
        <div className="ht-dialog-field">
          <label htmlFor={`${id}-password`}>登录密码</label>
          <Input.Password
            id={`${id}-password`}
            value={password}
            autoComplete="current-password"
            maxLength={128}
            onChange={(event) => setPassword(event.target.value)}
            onPressEnter={() => void submit()}
          />
        </div>
      )}
      <div className="ht-dialog-field">
        <label htmlFor={`${id}-name`}>名称</label>
        <Input
          id={`${id}-name`}
          value={name}
          autoComplete="off"
          maxLength={40}
          aria-describedby={`${id}-error`}
          onChange={(event) => setName(event.target.value)}
          onPressEnter={() => void submit()}
        />
        {!existing && <p>随后按浏览器提示选择本机（指纹、面容、PIN）、手机或安全密钥。</p>}
      </div>
      <p id={`${id}-error`} className="ht-security-field-error" role="alert">
        {errorText}
      </p>
    </SaveModal>
  );
}
