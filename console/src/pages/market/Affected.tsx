import { market } from '@hengtai/contract/market';
import { useRead } from '../../api/hooks.ts';
import { PageLink } from '../../shell/PageLink.tsx';
import { Money } from '../../ui/Money.tsx';

/** What is under way in a market: a change of its settings meets these. */
export function Affected({ id }: { id: number }) {
  const { data, error } = useRead(market.affected, { id }, { every: 10_000 });
  return (
    <section className="mk-card" aria-label="进行中的业务">
      <h2>进行中的业务</h2>
      {error && !data ? (
        <p className="ht-faint">暂时无法读取</p>
      ) : (
        <ul className="mk-affected">
          {(data?.items ?? []).map(({ what, label, path, count, amount }) => (
            <li key={what}>
              <PageLink to={what === 'hold' ? path : `${path}?marketId=${id}`}>{label}</PageLink>
              <span>
                {count.toLocaleString('en-US')} 笔
                {amount !== null && (
                  <>
                    ，<Money value={amount} digits={8} />
                  </>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      <p className="ht-faint">已经开始的按原规则走完；新规则只用于之后的请求。仅统计您可见的用户。</p>
    </section>
  );
}
