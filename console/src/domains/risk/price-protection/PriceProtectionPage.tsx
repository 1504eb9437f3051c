import './price-protection.css';
import { ABILITY } from '@hengtai/contract/authority/ability';
import { priceProtection } from '@hengtai/contract/risk/price-protection/calls';
import { useState } from 'react';
import { useList } from '../../../lists/list.ts';
import { useCan, useMe } from '../../../api/me.ts';
import { ListFrame } from '../../../lists/ListFrame.tsx';
import { WaitingMarks } from '../../../actions/WaitingMark.tsx';
import { dialogOnDemand, onDemand } from '../../../ui/page/on-demand.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import type { PriceProtectionAction } from './PriceProtectionDialog.tsx';
import { priceProtectionColumns } from './columns.tsx';
import { NO_ABILITY, type PriceProtectionView, keyOf, marketIdOf, disabledReasonOf } from './price-protection-row.ts';

const PriceProtectionDrawer = onDemand(async () => (await import('./PriceProtectionDrawer.tsx')).PriceProtectionDrawer);
const PriceProtectionDialog = dialogOnDemand(
  async () => (await import('./PriceProtectionDialog.tsx')).PriceProtectionDialog,
);

/** 风控计划: price protection of the markets that the operator may see, one row per market and kind of trading. */
export function PriceProtectionPage() {
  const hasAbility = useCan(ABILITY.plans);
  const { top } = useMe();
  const list = useList(priceProtection.list, { seconds: 5, rowKey: keyOf });
  const { rows } = list;
  const [dialog, setDialog] = useState<{ action: PriceProtectionAction; row: PriceProtectionView }>();
  const actions = (row: PriceProtectionView, look: 'text' | 'button') => (
    <>
      <GreyedAction
        look={look}
        disabledReason={hasAbility ? undefined : NO_ABILITY}
        onClick={() => setDialog({ action: 'save', row })}
      >
        设置
      </GreyedAction>
      {row.planState === 2 ? (
        <GreyedAction
          look={look}
          disabledReason={disabledReasonOf('resume', row, hasAbility)}
          onClick={() => setDialog({ action: 'resume', row })}
        >
          恢复
        </GreyedAction>
      ) : (
        <GreyedAction
          look={look}
          danger
          disabledReason={disabledReasonOf('halt', row, hasAbility)}
          onClick={() => setDialog({ action: 'halt', row })}
        >
          暂停
        </GreyedAction>
      )}
      <GreyedAction
        look={look}
        disabledReason={top ? undefined : '仅顶级管理员可以授权'}
        onClick={() => setDialog({ action: 'permit', row })}
      >
        授权
      </GreyedAction>
    </>
  );

  return (
    <WaitingMarks targetType="plan" ids={rows.map(marketIdOf)}>
      <ListFrame
        list={list}
        columns={priceProtectionColumns}
        onOpen={list.open}
        emptyHint={top ? '开通了交易的市场会出现在这里。' : '顶级管理员把市场授权给您后，会出现在这里。'}
        actions={{
          width: 198,
          open: '详情',
          render: (row) => actions(row, 'text'),
        }}
      >
        {list.openId !== undefined && (
          <PriceProtectionDrawer
            id={list.openId}
            listRow={rows.find(({ id }) => id === list.openId)}
            actions={(row) => actions(row, 'button')}
            onClose={list.close}
          />
        )}
        {dialog && <PriceProtectionDialog {...dialog} onClose={() => setDialog(undefined)} />}
      </ListFrame>
    </WaitingMarks>
  );
}
