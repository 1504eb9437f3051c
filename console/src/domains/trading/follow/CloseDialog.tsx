import { follow } from '@hengtai/contract/trading/follow/calls';
import type { FollowRow } from '@hengtai/contract/trading/follow/schema';
import { futureSides } from '@hengtai/contract/trading/future/calls';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import { useRead } from '../../../api/hooks.ts';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';
import { AFTER_APPROVAL } from '../../../actions/approval-words.ts';
import { Direction } from '../../../records/Direction.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { canRetry, stateText } from './words.ts';

/** Level 2: commands the platform to end one copy trade. It shows 结束中 until the platform confirms. */
export function CloseDialog({ row, onClose }: RecordDialogProps<FollowRow>) {
  const detail = useRead(follow.detail, { id: row.id }, { staleTime: 0 });
  const second = detail.data?.second ?? false;
  const now = detail.data?.row ?? row;

  return (
    <ActionDialog
      call={follow.close}
      input={{ id: row.id }}
      user={row}
      needsChecker={second}
      successText="结束指令已发出，等待平台确认"
      danger
      amounts={[{ value: row.amount, unit: SETTLEMENT, note: '跟单本金' }]}
      details={[
        { label: '信号', value: row.signalTitle, wide: true },
        {
          label: '合约',
          value: (
            <>
              {row.marketName} <Direction side={row.side} labels={futureSides} />
            </>
          ),
        },
        { label: '状态', value: stateText(now.state) },
        { label: '跟单时间', value: <Time value={row.createdAt} /> },
      ]}
      consequence={`${second ? AFTER_APPROVAL : ''}${canRetry(row) ? '再次' : ''}向平台发出结束指令；平台按届时行情了结并报告盈亏，本金连同盈亏退回合约账户，亏损不超过本金。平台确认前显示「结束中」。`}
      query={detail}
      stateText={stateText}
      onClose={onClose}
    />
  );
}
