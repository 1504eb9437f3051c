import { ABILITY } from '@hengtai/contract/authority/ability';
import { spot } from '@hengtai/contract/trading/spot/calls';
import type { SpotRow } from '@hengtai/contract/trading/spot/schema';
import { useState } from 'react';
import { useCan } from '../../../api/me.ts';
import { useList } from '../../../lists/list.ts';
import { ListFrame } from '../../../lists/ListFrame.tsx';
import { CancelDialog } from './CancelDialog.tsx';
import { SpotDrawer } from './SpotDrawer.tsx';
import { fillColumns, fillPageSums, fillSums } from './fill-columns.tsx';

/** 现货成交: one row per fill. Opening a row shows its order. */
export function FillPage() {
  const hasAbility = useCan(ABILITY.orders);
  const list = useList(spot.fills);
  const [cancelling, setCancelling] = useState<SpotRow>();
  return (
    <ListFrame
      list={list}
      columns={fillColumns}
      sums={fillSums}
      lineUnit="个市场"
      pageSums={fillPageSums}
      openId={list.rows.find(({ orderId }) => orderId === list.openId)?.id}
      onOpen={(row) => list.open({ id: row.orderId })}
      emptyHint="现货委托成交后会出现在这里；一笔委托可以分几笔成交。"
      actions={{ width: 72, open: '详情' }}
    >
      <SpotDrawer id={list.openId} hasAbility={hasAbility} onCancel={setCancelling} onClose={list.close} />
      {cancelling && <CancelDialog row={cancelling} onClose={() => setCancelling(undefined)} />}
    </ListFrame>
  );
}
