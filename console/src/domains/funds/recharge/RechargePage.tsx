import { rechargeActions, rechargeStates, RECHARGE } from '@hengtai/contract/funds/recharge/facts';
import { ABILITY, abilityLabels } from '@hengtai/contract/authority/ability';
import {
  RECHARGE_SOURCE,
  type RechargeAction,
  type RechargeState,
  recharge,
  rechargeActionStates,
} from '@hengtai/contract/funds/recharge/calls';
import type { RechargeRow } from '@hengtai/contract/funds/recharge/schema';
import { useState } from 'react';
import { prefetchList, useList } from '../../../lists/list.ts';
import { useCan } from '../../../api/me.ts';
import { ReviewListFrame } from '../../../lists/ReviewListFrame.tsx';
import { useBulkAction } from '../../../actions/use-bulk-action.tsx';
import { useDrawerQueue } from '../../../lists/QueueButton.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { RechargeDialog } from './RechargeDialog.tsx';
import { ReleaseManyDialog } from './ReleaseManyDialog.tsx';
import { onDemand } from '../../../ui/page/on-demand.tsx';
import { rechargeColumns, rechargeSums } from './columns.tsx';

const RechargeDrawer = onDemand(async () => (await import('./RechargeDrawer.tsx')).RechargeDrawer);

prefetchList(recharge.list, '/recharge');

const ACTIONS = Object.keys(rechargeActions) as RechargeAction[];

/** 充值记录: recharges, and holding or releasing them. */
export function RechargePage() {
  const hasAbility = useCan(ABILITY.assets);
  const list = useList(recharge.list, { seconds: 15 });
  const disabledReason = hasAbility ? undefined : `没有「${abilityLabels[ABILITY.assets]}」权限`;
  const queue = useDrawerQueue(list, { queueKey: 'rechargeHeld', waiting: RECHARGE.held, disabledReason });
  const bulk = useBulkAction<RechargeRow, 'release'>(list, () => '批量放行充值');
  const [dialog, setDialog] = useState<{ action: RechargeAction; row: RechargeRow }>();

  return (
    <ReviewListFrame
      list={list}
      reviewType="recharge"
      targetType="recharge"
      note={queue.note}
      tools={queue.button}
      columns={rechargeColumns}
      sums={rechargeSums}
      onOpen={list.open}
      emptyHint="用户充值后，平台一上报就会出现在这里；到账前显示确认数。"
      bulk={(rows) => [
        <GreyedAction
          key="release"
          look="button"
          disabledReason={disabledReason}
          onClick={() => bulk.ask('release', rows)}
        >
          批量放行
        </GreyedAction>,
      ]}
      actions={{
        width: 132,
        open: (row) => (row.source === RECHARGE_SOURCE.voucher ? '凭证' : '详情'),
        render: (row) =>
          ACTIONS.map((action) => (
            <GreyedAction
              key={action}
              danger={action === 'hold'}
              disabledReason={disabledReasonOf(action, row, hasAbility)}
              onClick={() => setDialog({ action, row })}
            >
              {rechargeActions[action].short}
            </GreyedAction>
          )),
      }}
    >
      <RechargeDrawer id={list.openId} onClose={queue.close} />
      {bulk.request && (
        <ReleaseManyDialog
          rows={bulk.request.rows}
          disabledReasonOf={(row) => disabledReasonOf('release', row, true)}
          onClose={bulk.onClose}
          onDone={bulk.onDone}
        />
      )}
      {bulk.results}
      {dialog && (
        <RechargeDialog
          {...dialog}
          onDone={() => queue.onDecided(dialog.row.id)}
          onClose={() => setDialog(undefined)}
        />
      )}
    </ReviewListFrame>
  );
}

function disabledReasonOf(action: RechargeAction, row: RechargeRow, hasAbility: boolean): string | undefined {
  if (!hasAbility) return `没有「${abilityLabels[ABILITY.assets]}」权限`;
  const states: readonly number[] = rechargeActionStates[action];
  if (states.includes(row.state)) return undefined;
  const open = rechargeActionStates[action].map((state) => rechargeStates[state]).join('、');
  return `当前为「${rechargeStates[row.state as RechargeState]}」，仅「${open}」可${rechargeActions[action].short}`;
}
