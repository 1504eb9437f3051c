import './security.css';
import { otp } from '@hengtai/contract/house/otp/calls';
import type { OtpSetup } from '@hengtai/contract/house/otp/schema';
import { Button, Input, type InputRef, QRCode, Steps } from 'antd';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { toDisplayError } from '../../../api/display-error.ts';
import { newKey, useAction } from '../../../api/hooks.ts';
import { toast } from '../../../api/toast.ts';
import { CopyButton } from '../../../ui/value/CopyButton.tsx';
import { PageModal } from '../../../ui/dialog/PageModal.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';

interface Props {
  account: string;
  /** True if codes are enabled and the recovery codes were shown. */
  onClose: (done: boolean) => void;
}

const groupSecret = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, '$1 ');

/** Enables one-time codes: password, secret, first code, recovery codes. */
export function OtpSetupDialog({ account, onClose }: Props) {
  const [setupData, setSetupData] = useState<OtpSetup>();
  const [recovery, setRecovery] = useState<readonly string[]>();
  const setup = useAction(otp.setup);
  const confirm = useAction(otp.confirm);

  if (recovery) return <RecoveryCodes account={account} codes={recovery} onClose={() => onClose(true)} />;
  return (
    <PageModal title="启用一次性验证码" width={560} footer={null} onCancel={() => onClose(false)}>
      <Steps
        className="ht-security-steps"
        size="small"
        current={setupData ? 1 : 0}
        items={[{ title: '验证密码' }, { title: '扫码并验证' }, { title: '保存恢复码' }]}
      />
      {setupData ? (
        <>
          <Scan account={account} setupData={setupData} />
          <InputStep
            key="code"
            label="输入验证器中显示的 6 位数字"
            verb="启用"
            code
            onCancel={() => onClose(false)}
            onSubmit={async (code) => {
              const outcome = await confirm.submit({ code }, newKey());
              if (outcome.kind !== 'done') return;
              toast.success(outcome.msg);
              setRecovery(outcome.data.recovery);
            }}
          />
        </>
      ) : (
        <InputStep
          key="password"
          label="输入登录密码"
          verb="下一步"
          note="需要一个验证器应用，例如 Google Authenticator、Microsoft Authenticator 或 1Password。"
          onCancel={() => onClose(false)}
          onSubmit={async (password) => {
            const outcome = await setup.submit({ password }, newKey());
            if (outcome.kind === 'done') setSetupData(outcome.data);
          }}
        />
      )}
    </PageModal>
  );
}

function Scan({ account, setupData }: { account: string; setupData: OtpSetup }) {
  return (
    <div className="ht-security-scan">
      <div className="ht-security-qr">
        <QRCode
          aria-label="供验证器扫描的二维码"
          type="svg"
          value={setupData.uri}
          size={168}
          bordered={false}
          color="#000"
          bgColor="#fff"
          errorLevel="M"
        />
      </div>
      <div>
        <p>用验证器应用扫描二维码；无法扫描时，手动添加账号并输入密钥（基于时间，30 秒，6 位）。</p>
        <dl className="ht-security-manual">
          <dt>账号</dt>
          <dd>HengTai：{account}</dd>
          <dt>密钥</dt>
          <dd>
            <code aria-label="密钥">{groupSecret(setupData.secret)}</code>
            <CopyButton text={setupData.secret} label="密钥" />
          </dd>
        </dl>
      </div>
    </div>
  );
}

interface InputStepProps {
  label: string;
  verb: string;
  note?: ReactNode;
  /** The input is a one-time code, not a password. */
  code?: boolean;
  onSubmit: (input: string) => Promise<void>;
  onCancel: () => void;
}

/** A step with one input and a button. */
function InputStep({ label, verb, note, code = false, onSubmit, onCancel }: InputStepProps) {
  const id = useId();
  const field = useRef<InputRef>(null);
  const [input, setInput] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [errorText, setErrorText] = useState<string>();
  const isReady = code ? /^\d{6}$/.test(input.replaceAll(/\s/g, '')) : input !== '';
  useEffect(() => field.current?.focus(), []);

  async function submit() {
    if (!isReady || isBusy) return;
    setIsBusy(true);
    setErrorText(undefined);
    try {
      await onSubmit(code ? input.replaceAll(/\s/g, '') : input);
    } catch (error) {
      setErrorText(toDisplayError(error).msg);
      field.current?.select();
    } finally {
      setIsBusy(false);
    }
  }

  const common = {
    id,
    ref: field,
    value: input,
    status: errorText === undefined ? ('' as const) : ('error' as const),
    'aria-describedby': `${id}-error`,
    onPressEnter: () => void submit(),
    onChange: (event: { target: { value: string } }) => setInput(event.target.value),
  };
  return (
    <div className="ht-dialog-field">
      <label htmlFor={id}>{label}</label>
      {code ? (
        <Input {...common} inputMode="numeric" autoComplete="one-time-code" maxLength={7} />
      ) : (
        <Input.Password {...common} autoComplete="current-password" maxLength={128} />
      )}
      {note !== undefined && <p>{note}</p>}
      <p id={`${id}-error`} className="ht-security-field-error" role="alert">
        {errorText}
      </p>
      <div className="ht-security-foot">
        <Button disabled={isBusy} onClick={onCancel}>
          取消
        </Button>
        <Button type="primary" loading={isBusy} disabled={!isReady} onClick={() => void submit()}>
          {verb}
        </Button>
      </div>
    </div>
  );
}
