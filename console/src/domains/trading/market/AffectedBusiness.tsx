import { market } from '@hengtai/contract/trading/market/calls';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import { useRead } from '../../../api/hooks.ts';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { Money } from '../../../ui/value/Money.tsx';

/** Kinds of business whose amounts are in the settlement coin; all others are in the coin of the market. */
const SETTLEMENT_KINDS = new Set(['second', 'follow']);

function pathOf(what: string, path: string, id: number): string {
  if (what === 'hold') return path;
  return what === 'signal' ? `${path}?marketId=${id}&state=1` : `${path}?marketId=${id}`;
}

/** Open business of a market that a change of its settings can affect. */
export function AffectedBusiness({ id }: { id: number }) {
  const { data, error } = useRead(market.affected, { id }, { refetchMs: 10_000 });
  return (
    <section className="ht-market-card" aria-label="进行中的业务">
      <h2>进行中的业务</h2>
      {error && !data ? (
        <p className="ht-value-faint">暂时无法加载</p>
      ) : (
        <ul className="ht-market-affected">
          {(data?.items ?? []).map(({ what, label, path, count, amount }) => (
            <li key={what}>
              <PageLink to={pathOf(what, path, id)}>{label}</PageLink>
              <span>
                {count.toLocaleString('en-US')} 笔
                {amount !== null && (
                  <>
                    ，
                    <Money value={amount} {...(SETTLEMENT_KINDS.has(what) && { unit: SETTLEMENT })} />
                  </>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      <p className="ht-value-faint">已开始的业务按原规则完成，新规则只适用于之后的请求。仅统计您可见的用户。</p>
    </section>
  );
}
