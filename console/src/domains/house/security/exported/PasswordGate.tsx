import '../security.css';
import { Button } from 'antd';
import { useState } from 'react';
import { Logo } from '../../../../ui/page/Logo.tsx';
import { ChangePasswordDialog } from './ChangePasswordDialog.tsx';
import { logOut } from '../../../../api/log-out.ts';

interface Props {
  account: string;
}

/** Replaces the console while the operator must change a password that another person set. */
export function PasswordGate({ account }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <main className="ht-navigation-splash">
      <section className="ht-navigation-state">
        <Logo size={48} />
        <h1>请先修改密码</h1>
        <p>账号 {account} 的密码由他人设置。为确保只有您本人知道，请先修改密码，再用新密码登录。</p>
        <div className="ht-navigation-state-tools ht-security-gate">
          <Button type="primary" onClick={() => setOpen(true)}>
            修改密码
          </Button>
          <Button onClick={() => void logOut()}>退出登录</Button>
        </div>
      </section>
      {open && <ChangePasswordDialog onClose={() => setOpen(false)} />}
    </main>
  );
}
