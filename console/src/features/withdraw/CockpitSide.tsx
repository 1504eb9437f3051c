import { credentialLabels } from '@hengtai/contract/user';
import type { WithdrawDetail } from '@hengtai/contract/withdraw.schema';
import { type MiniColumn, MiniTable } from '../../ui/MiniTable.tsx';
import { Money } from '../../ui/Money.tsx';
import { Section } from '../../ui/Section.tsx';
import { Time } from '../../ui/Time.tsx';
import { thousandths } from '../../ui/decimal.ts';
import { CustomerDetails } from '../user/exported/CustomerDetails.tsx';

const labelIn = (labels: Readonly<Record<string | number, string>>, key: string | number) => labels[key] ?? String(key);

const depositColumns: readonly MiniColumn<WithdrawDetail['deposits'][number]>[] = [
  { title: '币种', cell: ({ marketName }) => marketName },
  {
    title: '净入金',
    right: true,
    cell: ({ recharge, withdraw, net }) => (
      <>
        <Money value={net} digits={18} sign />
        <small className="wd-flows">
          <span>
            充值 <Money value={recharge} digits={18} />
          </span>
          <span>
            提现 <Money value={withdraw} digits={18} />
          </span>
        </small>
      </>
    ),
  },
];

const credentialColumns: readonly MiniColumn<WithdrawDetail['credentials'][number]>[] = [
  { title: '内容', cell: ({ kind }) => labelIn(credentialLabels, kind) },
  { title: '时间', right: true, cell: ({ at }) => <Time value={at} /> },
];

/** The user with the 24-hour limit, net deposits and changes of credentials. */
export function CockpitSide({ detail }: { detail: WithdrawDetail }) {
  const { user, deposits, limit, credentials, row } = detail;
  return (
    <div className="ht-review-side">
      <CustomerDetails user={user} />
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
