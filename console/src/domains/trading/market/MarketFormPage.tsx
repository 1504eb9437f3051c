import './market.css';
import { ABILITY, abilityLabels } from '@hengtai/contract/authority/ability';
import { market } from '@hengtai/contract/trading/market/calls';
import type { MarketRow } from '@hengtai/contract/trading/market/schema';
import { toDisplayError } from '../../../api/display-error.ts';
import { useRead } from '../../../api/hooks.ts';
import { useCan } from '../../../api/me.ts';
import { usePageRoute, useTabName } from '../../../navigation/page-route.ts';
import { PageHeading } from '../../../ui/page/PageHeading.tsx';
import { ErrorState, StateMessage } from '../../../ui/table/list-states.tsx';
import { useState } from 'react';
import { MarketForm } from './MarketForm.tsx';

/** 新增市场 and 编辑市场: the form to add or edit a market. Its tab is not kept after leaving. */
export function MarketFormPage() {
  const { params } = usePageRoute();
  const hasAbility = useCan(ABILITY.markets);
  const isNew = params['id'] === undefined;
  const title = isNew ? '新增市场' : '编辑市场';
  if (!hasAbility) {
    return (
      <div className="ht-page">
        <PageHeading title={title} />
        <StateMessage mark="forbidden" title="没有权限">
          需要「{abilityLabels[ABILITY.markets]}」权限。需要时请联系上级开通权限。
        </StateMessage>
      </div>
    );
  }
  return isNew ? <MarketForm title={title} row={undefined} /> : <EditMarket title={title} id={Number(params['id'])} />;
}

function EditMarket({ title, id }: { title: string; id: number }) {
  const isValidId = Number.isSafeInteger(id) && id > 0;
  const query = useRead(market.detail, { id: isValidId ? id : 1 }, { enabled: isValidId, refetchMs: 10_000 });
  // The form keeps the version it was opened with. A newer version is announced and never replaces the input.
  const [opened, setOpened] = useState<MarketRow>();
  if (!opened && query.data) setOpened(query.data);
  const row = opened ?? query.data;
  useTabName(row?.marketName);
  if (row) {
    return (
      <MarketForm
        key={`${row.id} ${row.version}`}
        title={`${title} · ${row.marketName}`}
        row={row}
        newer={query.data && query.data.version > row.version ? query.data : undefined}
        onReload={() => setOpened(query.data)}
      />
    );
  }
  return (
    <div className="ht-page">
      <PageHeading title={title} />
      {!isValidId ? (
        <StateMessage mark="empty" title="市场不存在">
          地址中的编号不正确。
        </StateMessage>
      ) : query.error ? (
        <ErrorState error={toDisplayError(query.error)} onRetry={() => void query.refetch()} />
      ) : (
        <div className="ht-market-skeleton" aria-hidden>
          {[1, 2, 3, 4].map((one) => (
            <span key={one} className="ht-page-skeleton-line" />
          ))}
        </div>
      )}
    </div>
  );
}
