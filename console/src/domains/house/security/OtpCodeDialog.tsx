import './security.css';
import { otp } from '@hengtai/contract/house/otp/calls';
import { passkey } from '@hengtai/contract/house/passkey/calls';
import { Input } from 'antd';
import { useId, useState } from 'react';
import { toDisplayError } from '../../../api/display-error.ts';
import { isWholeCode } from '../../../api/fresh-code.ts';
import { newKey, useAction, useRead } from '../../../api/hooks.ts';
import { toast } from '../../../api/toast.ts';
import { SaveModal } from '../../../ui/dialog/SaveModal.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';

interface Props {
  what: 'disable' | 'recovery';
  account: string;
  onClose: () => void;
}

const TEXTS = {
  disable: {
    title: '停用一次性验证码',
    verb: '停用',
    text: '停用后，登录与资金操作不再需要验证码，验证器中的账号随即失效。',
  },
  recovery: { title: '更换恢复码', verb: '更换', text: '将生成 10 个新的恢复码，原有的恢复码随即全部失效。' },
} as const;

/** Disables one-time codes or renews the recovery codes; both require a valid code or a passkey. */
export function OtpCodeDialog({ what, account, onClose }: Props) {
  const { title, verb, text } = TEXTS[what];
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [errorText, setErrorText] = useState<string>();
  const [recovery, setRecovery] = useState<readonly string[]>();
  const disable = useAction(otp.disable);
  const renew = useAction(otp.recovery);
  const isBusy = disable.pending || renew.pending;
  const { data: own } = useRead(passkey.list, {});
  const hasPasskey = own?.passkeys.some(({ usable }) => usable) ?? false;
  const isReady = (isWholeCode(code) || (hasPasskey && code === '')) && (what === 'recovery' || password !== '');
  const id = useId();

  async function submit() {
    if (!isReady || isBusy) return;
    setErrorText(undefined);
    // Without a code, the server asks for a passkey.
    const factor = code === '' ? {} : { code: code.trim() };
    try {
      if (what === 'disable') {
        const outcome = await disable.submit({ password, ...factor }, newKey());
        if (outcome.kind === 'done') toast.success(outcome.msg);
        onClose();
      } else {
        const outcome = await renew.submit(factor, newKey());
        if (outcome.kind === 'done') setRecovery(outcome.data.recovery);
      }
    } catch (error) {
      setErrorText(toDisplayError(error).msg);
    }
  }

  if (recovery) return <RecoveryCodes account={account} codes={recovery} onClose={onClose} />;
  return (
    <SaveModal
      title={title}
      width={480}
      verb={verb}
      danger={what === 'disable'}
      busy={isBusy}
      disabled={!isReady}
      onSave={() => void submit()}
      onClose={onClose}
    >
      <p className="ht-dialog-consequence" data-danger={what === 'disable'}>
        {text}
      </p>
      {what === 'disable' && (
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
        <label htmlFor={`${id}-code`}>验证器中的 6 位数字，或一个恢复码{hasPasskey && '；留空则使用通行密钥'}</label>
        <Input
          id={`${id}-code`}
          value={code}
          autoComplete="one-time-code"
          spellCheck={false}
          maxLength={20}
          aria-describedby={`${id}-error`}
          onChange={(event) => setCode(event.target.value)}
          onPressEnter={() => void submit()}
        />
      </div>
      <p id={`${id}-error`} className="ht-security-field-error" role="alert">
        {errorText}
      </p>
    </SaveModal>
  );
}
