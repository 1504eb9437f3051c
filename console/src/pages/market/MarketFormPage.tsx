import './market.css';
import { ABILITY, abilityLabels } from '@hengtai/contract/ability';
import { market } from '@hengtai/contract/market';
import type { MarketRow } from '@hengtai/contract/market.schema';
import { toDisplayError } from '../../api/display-error.ts';
import { useRead } from '../../api/hooks.ts';
import { useCan } from '../../api/me.ts';
import { usePageRoute } from '../../shell/page-route.ts';
import { PageHeading } from '../../ui/PageHeading.tsx';
import { ErrorState, StateMessage } from '../../ui/list-states.tsx';
import { useState } from 'react';
import { MarketForm } from './MarketForm.tsx';

/** 新增市场 and 编辑市场: a page for editing, which is not kept when it is left. */
export function MarketFormPage() {
  const { params } = usePageRoute();
  const able = useCan(ABILITY.markets);
  const adding = params['id'] === undefined;
  const title = adding ? '新增市场' : '编辑市场';
  if (!able) {
    return (
      <div className="ht-page">
        <PageHeading title={title} />
        <StateMessage mark="forbidden" title="没有权限">
          需要「{abilityLabels[ABILITY.markets]}」权限。需要时请联系上级开通权限。
        </StateMessage>
      </div>
    );
  }
  return adding ? <MarketForm title={title} row={undefined} /> : <EditMarket title={title} id={Number(params['id'])} />;
}

function EditMarket({ title, id }: { title: string; id: number }) {
  const known = Number.isSafeInteger(id) && id > 0;
  const read = useRead(market.detail, { id: known ? id : 1 }, { enabled: known, every: 10_000 });
  // The form stays with what it was opened with: a later version is told of, and never slipped in under the hands.
  const [first, setFirst] = useState<MarketRow>();
  if (!first && read.data) setFirst(read.data);
  const row = first ?? read.data;
  if (row) {
    return (
      <MarketForm
        key={`${row.id} ${row.version}`}
        title={`${title} · ${row.marketName}`}
        row={row}
        newer={read.data && read.data.version > row.version ? read.data : undefined}
        onReload={() => setFirst(read.data)}
      />
    );
  }
  return (
    <div className="ht-page">
      <PageHeading title={title} />
      {!known ? (
        <StateMessage mark="empty" title="市场不存在">
          地址中的编号不正确。
        </StateMessage>
      ) : read.error ? (
        <ErrorState error={toDisplayError(read.error)} onRetry={() => void read.refetch()} />
      ) : (
        <div className="mk-skeleton" aria-hidden>
          {[1, 2, 3, 4].map((one) => (
            <span key={one} className="ht-skeleton-line" />
          ))}
        </div>
      )}
    </div>
  );
}
