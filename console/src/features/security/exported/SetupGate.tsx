import '../security.css';
import { Button } from 'antd';
import { useState } from 'react';
import { Logo } from '../../../ui/Logo.tsx';
import { OtpSetupDialog } from '../OtpSetupDialog.tsx';
import { logOut } from '../../../api/log-out.ts';

interface Props {
  account: string;
  onDone: () => void;
}

/** Replaces the console while a policy requires one-time codes and the operator has none. */
export function SetupGate({ account, onDone }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <main className="sh-splash">
      <section className="sh-state">
        <Logo size={48} />
        <h1>请先启用一次性验证码</h1>
        <p>系统要求所有操作员使用一次性验证码登录。账号 {account} 尚未设置，完成后即可继续使用。</p>
        <div className="sh-state-tools sec-gate">
          <Button type="primary" onClick={() => setOpen(true)}>
            开始设置
          </Button>
          <Button onClick={() => void logOut()}>退出登录</Button>
        </div>
      </section>
      {open && (
        <OtpSetupDialog
          account={account}
          onClose={(done) => {
            setOpen(false);
            if (done) onDone();
          }}
        />
      )}
    </main>
  );
}
