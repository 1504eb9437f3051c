import { ABILITY, abilityLabels } from '@hengtai/contract/ability';
import { market } from '@hengtai/contract/market';
import type { MarketRow } from '@hengtai/contract/market.schema';
import { prefetchList, useList } from '../../lists/list.ts';
import { useCan } from '../../api/me.ts';
import { useOpenId } from '../../lists/open-id.ts';
import { ListFrame } from '../../lists/ListFrame.tsx';
import { WaitingMark, WaitingMarks } from '../../actions/WaitingMark.tsx';
import { usePageRoute } from '../../navigation/page-route.ts';
import { GreyedAction } from '../../ui/GreyedAction.tsx';
import { MarketDrawer } from './MarketDrawer.tsx';
import { marketColumns } from './columns.tsx';

prefetchList(market.list, '/market');

/** 市场管理: all markets. Prices refresh without highlighting and without reordering the rows. */
export function MarketPage() {
  const list = useList(market.list, { seconds: 5 });
  const { openId, open, close } = useOpenId();
  const route = usePageRoute();
  const disabledReason = useCan(ABILITY.markets) ? undefined : `没有「${abilityLabels[ABILITY.markets]}」权限`;
  const edit = (row: MarketRow) => route.open(`/market/update/${row.id}`);
  return (
    <WaitingMarks targetType="market" ids={[...list.rows.map(({ id }) => id), openId]}>
      <ListFrame
        title="市场管理"
        tools={
          <GreyedAction look="button" disabledReason={disabledReason} onClick={() => route.open('/market/add')}>
            新增市场
          </GreyedAction>
        }
        list={list}
        columns={marketColumns}
        openId={openId}
        onOpen={(row) => open(row.id)}
        next="新增的市场会出现在这里。"
        actions={{
          width: 116,
          open: '详情',
          render: (row) => (
            <GreyedAction disabledReason={disabledReason} onClick={() => edit(row)}>
              编辑
            </GreyedAction>
          ),
        }}
      >
        <MarketDrawer
          id={openId}
          listRow={list.rows.find(({ id }) => id === openId)}
          renderActions={(row) => (
            <>
              <GreyedAction look="button" disabledReason={disabledReason} onClick={() => edit(row)}>
                编辑
              </GreyedAction>
              <WaitingMark id={row.id} />
            </>
          )}
          onClose={close}
        />
      </ListFrame>
    </WaitingMarks>
  );
}
