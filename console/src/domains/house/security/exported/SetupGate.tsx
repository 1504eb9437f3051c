import '../security.css';
import { passkey } from '@hengtai/contract/house/passkey/calls';
import { Button } from 'antd';
import { useState } from 'react';
import { Logo } from '../../../../ui/page/Logo.tsx';
import { FreshCodeDialog } from './FreshCodeDialog.tsx';
import { OtpSetupDialog } from '../OtpSetupDialog.tsx';
import { PasskeyNameDialog } from '../PasskeyNameDialog.tsx';
import { useRead } from '../../../../api/hooks.ts';
import { logOut } from '../../../../api/log-out.ts';
import { passkeyProblem } from '../../../../api/passkey.ts';

interface Props {
  account: string;
  /** Codes are not enough. */
  isPasskeyDue: boolean;
  /** The operator has no second factor yet, so that the password is asked for. */
  needsPassword: boolean;
  onDone: () => void;
}

/** Replaces the console while a policy requires a second factor that the operator does not have. */
export function SetupGate({ account, isPasskeyDue, needsPassword, onDone }: Props) {
  const [open, setOpen] = useState<'passkey' | 'codes'>();
  const { data } = useRead(passkey.list, {});
  const problem = data && passkeyProblem(data.origin);
  const close = (done: boolean) => {
    setOpen(undefined);
    if (done) onDone();
  };
  return (
    <main className="ht-navigation-splash">
      <section className="ht-navigation-state">
        <Logo size={48} />
        <h1>{isPasskeyDue ? '请先添加通行密钥' : '请先启用第二因素'}</h1>
        <p>
          {isPasskeyDue
            ? `系统仅接受通行密钥作为第二因素。账号 ${account} 在当前地址尚无通行密钥，添加后即可继续使用。`
            : `系统要求所有操作员使用通行密钥或一次性验证码登录。账号 ${account} 尚未设置，完成后即可继续使用。`}
        </p>
        {isPasskeyDue && problem !== undefined && <p className="ht-value-warn">{problem}</p>}
        <div className="ht-navigation-state-tools ht-security-choices">
          <Button
            type="primary"
            disabled={!data || problem !== undefined}
            title={problem}
            onClick={() => setOpen('passkey')}
          >
            添加通行密钥
          </Button>
          {!isPasskeyDue && <Button onClick={() => setOpen('codes')}>启用一次性验证码</Button>}
          <Button onClick={() => void logOut()}>退出登录</Button>
        </div>
      </section>
      {open === 'passkey' && <PasskeyNameDialog needsPassword={needsPassword} onClose={close} />}
      {open === 'codes' && <OtpSetupDialog account={account} onClose={close} />}
      <FreshCodeDialog />
    </main>
  );
}
