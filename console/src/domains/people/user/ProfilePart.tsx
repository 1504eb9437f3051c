import { userPayout, userSwitchNames } from '@hengtai/contract/people/user/calls';
import type { UserDetail } from '@hengtai/contract/people/user/schema';
import { agentDetail } from '../../../navigation/account-cells.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { type MiniColumn, MiniTable } from '../../../ui/table/MiniTable.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { UserLimits } from '../../risk/withdraw-limit/exported/UserLimits.tsx';
import { UserSwitchCell } from './UserSwitchCell.tsx';
import { kycTag, stateTag } from './columns.tsx';
import type { ToggleSwitch } from './actions.ts';
import { SWITCHES } from './words.ts';
import { DetailItem, TimeItem } from '../../../ui/value/DetailItem.tsx';

interface Props {
  detail: UserDetail;
  disabledReason: string | undefined;
  toggleSwitch: ToggleSwitch;
}

const depositColumns: readonly MiniColumn<UserDetail['deposits'][number]>[] = [
  { title: '币种', nowrap: true, cell: ({ marketName }) => marketName },
  { title: '充值', right: true, cell: ({ recharge }) => <Money value={recharge} /> },
  { title: '提现', right: true, cell: ({ withdraw }) => <Money value={withdraw} /> },
  { title: '净入金', right: true, cell: ({ net }) => <Money value={net} showPlus /> },
];

/** Details, switches, and deposits and withdrawals of the user. */
export function ProfilePart({ detail, disabledReason, toggleSwitch }: Props) {
  const { row, totals, deposits } = detail;
  return (
    <>
      <dl className="ht-lists-figures ht-user-figures">
        <Figure label="资产估值" value={row.valuation} />
        <Figure label="累计充值" value={totals.recharge} note={`${totals.rechargeCount} 笔`} />
        <Figure label="累计提现" value={totals.withdraw} note={`${totals.withdrawCount} 笔`} />
        <Figure label="净入金" value={totals.net} sign />
      </dl>
      <Section title="资料">
        <dl className="ht-value-details ht-user-facts">
          <DetailItem label="账号" wide>
            {row.account}
          </DetailItem>
          <DetailItem label="用户编号">{row.id}</DetailItem>
          <DetailItem label="状态">{stateTag(row.state)}</DetailItem>
          <DetailItem label="实名">
            <span className="ht-user-auth">
              {kycTag(row.auth)}
              {row.auth !== 0 && <PageLink to={`/auth?userId=${row.id}`}>查看认证</PageLink>}
            </span>
          </DetailItem>
          <DetailItem label="用户组">{row.userGroup ?? '无'}</DetailItem>
          <DetailItem label="收益率档位">{userPayout(row)}</DetailItem>
          <DetailItem label="所属代理">{agentDetail(row.agent)}</DetailItem>
          <DetailItem label="顶级代理">{agentDetail(row.agentRoot)}</DetailItem>
          <TimeItem label="注册时间" value={row.createdAt} />
          <TimeItem label="最近登录" value={row.lastLoginAt} />
          <DetailItem label="登录 IP">{row.lastLoginIp ?? '--'}</DetailItem>
          <TimeItem label="更新时间" value={row.updatedAt} />
          <DetailItem label="备注" wide>
            {row.remark || '--'}
          </DetailItem>
        </dl>
      </Section>
      <Section title="开关" aside="点击后确认">
        <dl className="ht-user-switches">
          {SWITCHES.map((field) => (
            <DetailItem key={field} label={userSwitchNames[field]}>
              <UserSwitchCell
                showLabel
                row={row}
                field={field}
                disabledReason={disabledReason}
                toggleSwitch={toggleSwitch}
              />
            </DetailItem>
          ))}
        </dl>
      </Section>
      <UserLimits userId={row.id} />
      <Section title="各币种净入金" aside="已到账的充值减已打款的提现">
        <MiniTable
          label="各币种净入金"
          rows={deposits}
          keyOf={({ marketId }) => marketId}
          empty="没有到账的充值，也没有打款的提现"
          isMarked={({ net }) => net.startsWith('-')}
          columns={depositColumns}
        />
      </Section>
    </>
  );
}

function Figure({ label, value, note, sign }: { label: string; value: string | null; note?: string; sign?: true }) {
  return (
    <div>
      <dt>{label}(USDT)</dt>
      <dd>
        <Money value={value} digits={2} shortened showPlus={sign ?? false} />
        {note && <small>{note}</small>}
      </dd>
    </div>
  );
}
