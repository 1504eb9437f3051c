import { credentialLabels, userAuthLabels, userStates } from '@hengtai/contract/user';
import type { WithdrawDetail } from '@hengtai/contract/withdraw.schema';
import { type MiniColumn, MiniTable } from '../../ui/MiniTable.tsx';
import { Money } from '../../ui/Money.tsx';
import { Section } from '../../ui/Section.tsx';
import { StateTag } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { thousandths } from '../../ui/decimal.ts';

const labelIn = (labels: Readonly<Record<string | number, string>>, key: string | number) => labels[key] ?? String(key);

const depositColumns: readonly MiniColumn<WithdrawDetail['deposits'][number]>[] = [
  { title: '币种', cell: ({ marketName }) => marketName },
  { title: '充值', right: true, cell: ({ recharge }) => <Money value={recharge} digits={4} /> },
  { title: '提现', right: true, cell: ({ withdraw }) => <Money value={withdraw} digits={4} /> },
  { title: '净额', right: true, cell: ({ net }) => <Money value={net} digits={4} sign /> },
];

const credentialColumns: readonly MiniColumn<WithdrawDetail['credentials'][number]>[] = [
  { title: '内容', cell: ({ kind }) => labelIn(credentialLabels, kind) },
  { title: '时间', right: true, cell: ({ at }) => <Time value={at} /> },
];

/** Who asks: the user, the net deposits, the limit, changes of credentials. */
export function CockpitSide({ detail }: { detail: WithdrawDetail }) {
  const { user, deposits, limit, credentials, row } = detail;
  return (
    <div className="wd-side">
      <Section title="用户">
        <dl className="ht-facts">
          <Pair label="账号">
            {user.account}（{user.id}）
          </Pair>
          <Pair label="状态">
            <StateTag state={user.state} labels={userStates} tones={{ 1: 'good', 0: 'bad' }} />
          </Pair>
          <Pair label="认证">{labelIn(userAuthLabels, user.auth)}</Pair>
          <Pair label="代理">
            {user.agent}
            {user.agentRoot !== user.agent && <span className="ht-faint">（{user.agentRoot}）</span>}
          </Pair>
          <Pair label="资产估值">
            <Money value={user.valuation} unit="USDT" digits={2} rough />
          </Pair>
          <Pair label="注册">
            <Time value={user.createdAt} />
          </Pair>
          <Pair label="最近登录">
            <Time value={user.lastLoginAt} />
            {user.lastLoginIp && <div className="ht-faint">{user.lastLoginIp}</div>}
          </Pair>
          {user.remark && <Pair label="备注">{user.remark}</Pair>}
        </dl>
      </Section>
      <Section title="24 小时限额" aside="USDT">
        <Limit used={limit.used} limit={limit.limit} />
        <p className="ht-faint">
          单笔最少 <Money value={limit.withdrawMin} unit={row.marketName} />，
          {limit.withdrawMax === '0' ? (
            '不设上限'
          ) : (
            <>
              最多 <Money value={limit.withdrawMax} unit={row.marketName} />
            </>
          )}
        </p>
      </Section>
      <Section title="净入金">
        <MiniTable
          label="净入金"
          rows={deposits}
          keyOf={({ marketId }) => marketId}
          marked={({ net }) => net.startsWith('-')}
          none="没有充值或提现"
          columns={depositColumns}
        />
      </Section>
      <Section title="登录凭证变更">
        <MiniTable
          label="登录凭证变更"
          rows={credentials}
          keyOf={({ kind, at }) => `${kind}${at}`}
          none="没有变更"
          columns={credentialColumns}
        />
      </Section>
    </div>
  );
}

function Limit({ used, limit }: { used: string | null; limit: string }) {
  const share = used === null ? 0 : thousandths(used, limit);
  return (
    <>
      <div>
        <Money value={used} digits={2} rough /> / <Money value={limit} digits={2} rough />
      </div>
      <span className="ht-bar" data-over={share >= 1000} aria-hidden>
        <i style={{ width: `${share / 10}%` }} />
      </span>
    </>
  );
}

function Pair({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
