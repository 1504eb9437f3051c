import '../security.css';
import { RECOVERY_CODES, RECOVERY_CODES_LOW, otp, otpLabels } from '@hengtai/contract/house/otp/calls';
import type { OtpState } from '@hengtai/contract/house/otp/schema';
import { Button } from 'antd';
import { useState } from 'react';
import { toDisplayError } from '../../../../api/display-error.ts';
import { useRead } from '../../../../api/hooks.ts';
import { useMe } from '../../../../api/me.ts';
import { PageDrawer } from '../../../../ui/dialog/PageDrawer.tsx';
import { Section } from '../../../../ui/page/Section.tsx';
import { StateTag } from '../../../../ui/value/StateTag.tsx';
import { Time } from '../../../../ui/value/Time.tsx';
import { ErrorState } from '../../../../ui/table/list-states.tsx';
import { OtpCodeDialog } from '../OtpCodeDialog.tsx';
import { OtpSetupDialog } from '../OtpSetupDialog.tsx';
import { OwnSessions } from '../OwnSessions.tsx';
import { Passkeys } from '../Passkeys.tsx';

interface Props {
  open: boolean;
  onClose: () => void;
}

type Action = 'setup' | 'disable' | 'recovery';
const TONES = { 0: 'idle', 1: 'good' } as const;

/** 安全设置: passkeys, one-time codes and sessions of the operator. */
export function SecurityDrawer({ open, onClose }: Props) {
  const { admin: account, otp: hasFactor } = useMe();
  const { data, error, refetch } = useRead(otp.state, {}, { enabled: open });
  const [action, setAction] = useState<Action>();
  const closeDialog = () => {
    setAction(undefined);
    void refetch();
  };
  return (
    <>
      <PageDrawer open={open} title="安全设置" width={480} onClose={onClose}>
        {open && <Passkeys needsPassword={hasFactor === 0} />}
        <Section title="一次性验证码" aside={data && <StateTag state={data.state} labels={otpLabels} tones={TONES} />}>
          {error && !data ? (
            <ErrorState error={toDisplayError(error)} onRetry={() => void refetch()} />
          ) : data ? (
            <Codes state={data} onAction={setAction} />
          ) : (
            <span className="ht-page-skeleton-line" />
          )}
        </Section>
        {open && <OwnSessions account={account} />}
      </PageDrawer>
      {action === 'setup' && <OtpSetupDialog account={account} onClose={closeDialog} />}
      {(action === 'disable' || action === 'recovery') && (
        <OtpCodeDialog what={action} account={account} onClose={closeDialog} />
      )}
    </>
  );
}

function Codes({ state, onAction }: { state: OtpState; onAction: (action: Action) => void }) {
  if (state.state === 0) {
    return (
      <>
        <p className="ht-security-text">
          启用后，登录时除密码外还需输入验证器中的 6 位数字；通过提现、调整资产等操作在 5 分钟未验证时会再次询问。
        </p>
        <Button type="primary" onClick={() => onAction('setup')}>
          启用一次性验证码
        </Button>
      </>
    );
  }
  const isLow = state.recovery < RECOVERY_CODES_LOW;
  return (
    <>
      <dl className="ht-security-facts">
        <dt>启用时间</dt>
        <dd>
          <Time value={state.since} />
        </dd>
        <dt>剩余恢复码</dt>
        <dd className={isLow ? 'ht-value-warn' : undefined}>
          {state.recovery} / {RECOVERY_CODES}
          {isLow && '，请及时更换'}
        </dd>
      </dl>
      <div className="ht-security-tools">
        <Button onClick={() => onAction('recovery')}>更换恢复码</Button>
        <Button danger onClick={() => onAction('disable')}>
          停用
        </Button>
      </div>
      {state.required && <p className="ht-security-text">系统要求所有操作员启用验证码，停用后须立即重新设置。</p>}
    </>
  );
}
