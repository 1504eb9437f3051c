import { market } from '@hengtai/contract/market';
import { useList } from '../../api/list.ts';
import { useOpenId } from '../../api/open-id.ts';
import { ListFrame } from '../../shell/ListFrame.tsx';
import { GreyedAction } from '../../ui/GreyedAction.tsx';
import { MarketDrawer } from './MarketDrawer.tsx';
import { marketColumns } from './columns.tsx';

/** 市场管理. Prices move by themselves; nothing flashes, and no row changes its place. */
export function MarketPage() {
  const list = useList(market.list, { seconds: 5 });
  const { openId, open, close } = useOpenId();
  return (
    <ListFrame
      title="市场管理"
      list={list}
      columns={marketColumns}
      openId={openId}
      onOpen={(row) => open(row.id)}
      next="上架的市场会出现在这里。"
      actions={{
        width: 72,
        render: (row) => (
          <GreyedAction why={undefined} onClick={() => open(row.id)}>
            详情
          </GreyedAction>
        ),
      }}
    >
      <MarketDrawer id={openId} known={list.rows.find(({ id }) => id === openId)} onClose={close} />
    </ListFrame>
  );
}
