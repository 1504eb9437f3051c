import { userKycLabels, userStates } from '@hengtai/contract/people/user/calls';
import type { ReactNode } from 'react';
import { agentDetail, userDetail } from '../../../../navigation/account-cells.tsx';
import { DetailItem } from '../../../../ui/value/DetailItem.tsx';
import { Money } from '../../../../ui/value/Money.tsx';
import { Section } from '../../../../ui/page/Section.tsx';
import { StateTag } from '../../../../ui/value/StateTag.tsx';
import { Time } from '../../../../ui/value/Time.tsx';

interface Customer {
  id: number;
  account: string;
  state: number;
  auth: number;
  agent: string;
  agentRoot: string;
  valuation: string | null;
  createdAt: number;
  lastLoginAt: number | null;
  lastLoginIp: string | null;
  remark: string;
}

/** The user of a record under review. */
export function CustomerDetails({ user, children }: { user: Customer; children?: ReactNode }) {
  return (
    <Section title="用户">
      <dl className="ht-value-details">
        <DetailItem label="账号">
          {userDetail(user.account, user.id)}（{user.id}）
        </DetailItem>
        <DetailItem label="状态">
          <StateTag state={user.state} labels={userStates} tones={{ 1: 'good', 0: 'bad' }} />
        </DetailItem>
        <DetailItem label="实名">{userKycLabels[user.auth as keyof typeof userKycLabels] ?? user.auth}</DetailItem>
        {children}
        <DetailItem label="代理">
          {agentDetail(user.agent)}
          {user.agentRoot !== user.agent && <span className="ht-value-faint">（{agentDetail(user.agentRoot)}）</span>}
        </DetailItem>
        <DetailItem label="资产估值">
          <Money value={user.valuation} unit="USDT" digits={2} shortened />
        </DetailItem>
        <DetailItem label="注册">
          <Time value={user.createdAt} />
        </DetailItem>
        <DetailItem label="最近登录">
          <Time value={user.lastLoginAt} />
          {user.lastLoginIp && <div className="ht-value-faint">{user.lastLoginIp}</div>}
        </DetailItem>
        {user.remark && <DetailItem label="备注">{user.remark}</DetailItem>}
      </dl>
    </Section>
  );
}
