import './security.css';
import { otp } from '@hengtai/contract/otp';
import { session } from '@hengtai/contract/session';
import type { OtpSetup } from '@hengtai/contract/otp.schema';
import { Button, Input, type InputRef, QRCode, Steps } from 'antd';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { toDisplayError } from '../api/display-error.ts';
import { newKey, useAction } from '../api/hooks.ts';
import { toast } from '../api/toast.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { PageModal } from '../ui/PageModal.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';

interface Props {
  account: string;
  /** Codes are on and the recovery codes were seen, or nothing has changed. */
  onClose: (done: boolean) => void;
}

const STALE = [otp.state, session.me, session.list];
const grouped = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, '$1 ');

/** Turns one-time codes on: the password, the secret into the authenticator, the first code, the recovery codes. */
export function OtpSetupDialog({ account, onClose }: Props) {
  const [made, setMade] = useState<OtpSetup>();
  const [recovery, setRecovery] = useState<readonly string[]>();
  const setup = useAction(otp.setup);
  const confirm = useAction(otp.confirm, { invalidate: STALE });

  if (recovery) return <RecoveryCodes account={account} codes={recovery} onClose={() => onClose(true)} />;
  return (
    <PageModal title="启用一次性验证码" width={560} footer={null} onCancel={() => onClose(false)}>
      <Steps
        className="sec-steps"
        size="small"
        current={made ? 1 : 0}
        items={[{ title: '验证密码' }, { title: '扫码并验证' }, { title: '保存恢复码' }]}
      />
      {made ? (
        <>
          <Scan account={account} made={made} />
          <Ask
            key="code"
            label="输入验证器中显示的 6 位数字"
            verb="启用"
            code
            onCancel={() => onClose(false)}
            ask={async (code) => {
              const outcome = await confirm.submit({ code }, newKey());
              if (outcome.kind !== 'done') return;
              toast.success(outcome.msg);
              setRecovery(outcome.data.recovery);
            }}
          />
        </>
      ) : (
        <Ask
          key="password"
          label="输入登录密码"
          verb="下一步"
          note="需要一个验证器应用，例如 Google Authenticator、Microsoft Authenticator 或 1Password。"
          onCancel={() => onClose(false)}
          ask={async (password) => {
            const outcome = await setup.submit({ password }, newKey());
            if (outcome.kind === 'done') setMade(outcome.data);
          }}
        />
      )}
    </PageModal>
  );
}

function Scan({ account, made }: { account: string; made: OtpSetup }) {
  return (
    <div className="sec-scan">
      <div className="sec-qr">
        <QRCode
          aria-label="供验证器扫描的二维码"
          type="svg"
          value={made.uri}
          size={168}
          bordered={false}
          color="#000"
          bgColor="#fff"
          errorLevel="M"
        />
      </div>
      <div>
        <p>用验证器应用扫描二维码；无法扫描时，手动添加账号并输入密钥（基于时间，30 秒，6 位）。</p>
        <dl className="sec-manual">
          <dt>账号</dt>
          <dd>HengTai：{account}</dd>
          <dt>密钥</dt>
          <dd>
            <code aria-label="密钥">{grouped(made.secret)}</code>
            <CopyButton text={made.secret} what="密钥" />
          </dd>
        </dl>
      </div>
    </div>
  );
}

interface AskProps {
  label: string;
  verb: string;
  note?: ReactNode;
  /** One-time code, not a password. */
  code?: boolean;
  ask: (typed: string) => Promise<void>;
  onCancel: () => void;
}

/** One thing to be typed, and the way on. */
function Ask({ label, verb, note, code = false, ask, onCancel }: AskProps) {
  const id = useId();
  const input = useRef<InputRef>(null);
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [displayError, setError] = useState<string>();
  const ready = code ? /^\d{6}$/.test(typed.replaceAll(/\s/g, '')) : typed !== '';
  useEffect(() => input.current?.focus(), []);

  async function go() {
    if (!ready || busy) return;
    setBusy(true);
    setError(undefined);
    try {
      await ask(code ? typed.replaceAll(/\s/g, '') : typed);
    } catch (error) {
      setError(toDisplayError(error).msg);
      input.current?.select();
    } finally {
      setBusy(false);
    }
  }

  const common = {
    id,
    ref: input,
    value: typed,
    status: displayError === undefined ? ('' as const) : ('error' as const),
    'aria-describedby': `${id}-fault`,
    onPressEnter: () => void go(),
    onChange: (event: { target: { value: string } }) => setTyped(event.target.value),
  };
  return (
    <div className="ht-field">
      <label htmlFor={id}>{label}</label>
      {code ? (
        <Input {...common} inputMode="numeric" autoComplete="one-time-code" maxLength={7} />
      ) : (
        <Input.Password {...common} autoComplete="current-password" maxLength={128} />
      )}
      {note !== undefined && <p>{note}</p>}
      <p id={`${id}-fault`} className="sh-field-fault" role="alert">
        {displayError}
      </p>
      <div className="sec-foot">
        <Button disabled={busy} onClick={onCancel}>
          取消
        </Button>
        <Button type="primary" loading={busy} disabled={!ready} onClick={() => void go()}>
          {verb}
        </Button>
      </div>
    </div>
  );
}
