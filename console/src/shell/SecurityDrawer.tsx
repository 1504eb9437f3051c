import './security.css';
import { RECOVERY_CODES, RECOVERY_FEW, otp, otpLabels } from '@hengtai/contract/otp';
import type { OtpState } from '@hengtai/contract/otp.schema';
import { Button } from 'antd';
import { useState } from 'react';
import { faultOf } from '../api/fault.ts';
import { useRead } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { Reader } from '../ui/Reader.tsx';
import { Section } from '../ui/Section.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import { Time } from '../ui/Time.tsx';
import { FaultState } from '../ui/list-states.tsx';
import { OtpCodeDialog } from './OtpCodeDialog.tsx';
import { OtpSetupDialog } from './OtpSetupDialog.tsx';
import { OwnSessions } from './OwnSessions.tsx';

interface Props {
  open: boolean;
  onClose: () => void;
}

type Deed = 'setup' | 'disable' | 'recovery';
const NOTHING = {};
const TONES = { 0: 'idle', 1: 'good' } as const;

/** 安全设置: one's own one-time codes, and where one is logged in. */
export function SecurityDrawer({ open, onClose }: Props) {
  const { admin: account } = useMe();
  const { data, error, refetch } = useRead(otp.state, NOTHING, { enabled: open });
  const [deed, setDeed] = useState<Deed>();
  const done = () => {
    setDeed(undefined);
    void refetch();
  };
  return (
    <>
      <Reader open={open} title="安全设置" width={480} onClose={onClose}>
        <Section title="一次性验证码" aside={data && <StateTag state={data.state} labels={otpLabels} tones={TONES} />}>
          {error && !data ? (
            <FaultState fault={faultOf(error)} onRetry={() => void refetch()} />
          ) : data ? (
            <Codes state={data} onDeed={setDeed} />
          ) : (
            <span className="ht-bone" />
          )}
        </Section>
        {open && <OwnSessions account={account} />}
      </Reader>
      {deed === 'setup' && <OtpSetupDialog account={account} onClose={done} />}
      {(deed === 'disable' || deed === 'recovery') && <OtpCodeDialog what={deed} account={account} onClose={done} />}
    </>
  );
}

function Codes({ state, onDeed }: { state: OtpState; onDeed: (deed: Deed) => void }) {
  if (state.state === 0) {
    return (
      <>
        <p className="sec-text">
          启用后，登录时除密码外还需输入验证器中的 6 位数字；通过提现、调整资产等操作在 5 分钟未验证时会再次询问。
        </p>
        <Button type="primary" onClick={() => onDeed('setup')}>
          启用一次性验证码
        </Button>
      </>
    );
  }
  const few = state.recovery < RECOVERY_FEW;
  return (
    <>
      <dl className="sec-facts">
        <dt>启用时间</dt>
        <dd>
          <Time value={state.since} />
        </dd>
        <dt>剩余恢复码</dt>
        <dd className={few ? 'ht-warn-text' : undefined}>
          {state.recovery} / {RECOVERY_CODES}
          {few && '，请及时更换'}
        </dd>
      </dl>
      <div className="sec-tools">
        <Button onClick={() => onDeed('recovery')}>更换恢复码</Button>
        <Button danger onClick={() => onDeed('disable')}>
          停用
        </Button>
      </div>
      {state.required && <p className="sec-text">系统要求所有操作员启用验证码，停用后须立即重新设置。</p>}
    </>
  );
}
