import type { WithdrawDetail } from '@hengtai/contract/funds/withdraw/schema';
import { Hash } from '../../../ui/value/Hash.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { thousandths } from '../../../ui/value/decimal.ts';
import { Suspense } from 'react';
import { lazyComponent } from '../../../ui/page/lazy-component.tsx';
import { CustomerDetails } from '../../people/user/exported/CustomerDetails.tsx';

// On demand: most withdrawals have none.
const AppliedLimits = lazyComponent(
  async () => (await import('../../risk/withdraw-limit/exported/AppliedLimits.tsx')).AppliedLimits,
);

/** Addresses in sight before the others are unfolded. */
const ADDRESSES_SHOWN = 4;

/** The user with the 24-hour limit, net deposits and known addresses. */
export function CockpitSide({ detail }: { detail: WithdrawDetail }) {
  const { user, deposits, limit, row } = detail;
  return (
    <>
      <CustomerDetails user={user} />
      <Section title="24 小时限额" aside="USDT">
        <Limit used={limit.used} limit={limit.limit} />
        {!detail.appliedLimits && (
          <p className="ht-value-faint">
            单笔最少 <Money value={limit.withdrawMin} unit={row.marketName} />，
            {limit.withdrawMax === '0' ? (
              '不设上限'
            ) : (
              <>
                最多 <Money value={limit.withdrawMax} unit={row.marketName} />
              </>
            )}
          </p>
        )}
      </Section>
      {detail.appliedLimits && (
        <Suspense>
          <AppliedLimits applied={detail.appliedLimits} unit={row.marketName} />
        </Suspense>
      )}
      <Section title="净入金">
        {deposits.length === 0 && <p className="ht-value-faint">没有充值或提现</p>}
        <ul className="ht-records-case-lines" aria-label="净入金">
          {deposits.map(({ marketId, marketName, recharge, withdraw, net }) => (
            <li key={marketId} className={net.startsWith('-') ? 'ht-value-warn' : undefined}>
              <b>{marketName}</b>
              <span className="ht-value-faint">
                充 <Money value={recharge} />
              </span>
              <span className="ht-value-faint">
                提 <Money value={withdraw} />
              </span>
              <b>
                <Money value={net} showPlus />
              </b>
            </li>
          ))}
        </ul>
      </Section>
      <Addresses detail={detail} />
    </>
  );
}

/** The addresses that the user has withdrawn to: the one of this withdrawal first, then the last used. */
function Addresses({ detail: { addresses, keying, row } }: { detail: WithdrawDetail }) {
  const sorted = [...addresses.filter(({ current }) => current), ...addresses.filter(({ current }) => !current)];
  const lines = sorted.map((one) => (
    <li key={`${one.network}${one.address}${one.memo}${one.marketName}`} data-current={one.current}>
      <Hash value={one.current ? row.address : one.address} label="地址" short />
      {one.memo !== '' && <span>备注 {one.memo}</span>}
      <span className="ht-value-faint">
        {one.network} {one.marketName}
      </span>
      <span>{one.times} 次</span>
      <span className="ht-value-faint">
        <Time value={one.lastAt} near />
      </span>
      {one.users > 1 ? <b className="ht-value-warn">{one.users} 人使用</b> : <span>{one.users} 人使用</span>}
    </li>
  ));
  return (
    <Section title="用过的提现地址" aside={`${addresses.length} 个`}>
      {keying && <p className="ht-value-faint">早先的提现记录补齐中，地址与人数可能不全</p>}
      {lines.length === 0 && <p className="ht-value-faint">还没有用过任何地址</p>}
      <ul className="ht-records-case-lines" aria-label="用过的提现地址">
        {lines.slice(0, ADDRESSES_SHOWN)}
      </ul>
      {lines.length > ADDRESSES_SHOWN && (
        <details>
          <summary className="ht-value-faint">还有 {lines.length - ADDRESSES_SHOWN} 个</summary>
          <ul className="ht-records-case-lines" aria-label="其他提现地址">
            {lines.slice(ADDRESSES_SHOWN)}
          </ul>
        </details>
      )}
    </Section>
  );
}

function Limit({ used, limit }: { used: string | null; limit: string }) {
  const share = used === null ? 0 : thousandths(used, limit);
  return (
    <>
      <div>
        <Money value={used} digits={2} shortened /> / <Money value={limit} digits={2} shortened />
      </div>
      <span className="ht-value-bar" data-over={share >= 1000} aria-hidden>
        <i style={{ width: `${Math.min(100, share / 10)}%` }} />
      </span>
    </>
  );
}
