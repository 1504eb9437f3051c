import { alarm, alarmText } from '@hengtai/contract/house/alarm/calls';
import { alarmStates } from '@hengtai/contract/house/alarm/facts';
import { alarmStopLabels } from '@hengtai/contract/house/alarm/stops';
import type { AlarmRow } from '@hengtai/contract/house/alarm/schema';
import { targetText } from '@hengtai/contract/authority/target';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import { Time } from '../../../ui/value/Time.tsx';
import { kindText } from './columns.tsx';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';

/** Level 2: closes an alarm for all operators and records what was done about it. */
export function CloseDialog({ row, onDone, onClose }: RecordDialogProps<AlarmRow> & { onDone: () => void }) {
  return (
    <ActionDialog
      call={alarm.close}
      input={{ id: row.id }}
      successText="告警已关闭"
      amounts={row.amount === null ? undefined : [{ value: row.amount, unit: row.marketName ?? '' }]}
      details={[
        { label: '告警', value: kindText(row.kind) },
        { label: '对象', value: targetText(row) },
        { label: '用户', value: row.account === null ? '--' : `${row.account}（${row.userId}）` },
        ...(row.stops === 'nothing' ? [] : [{ label: '暂停', value: alarmStopLabels[row.stops] }]),
        { label: '时间', value: <Time value={row.createdAt} /> },
        { label: '需要处理', value: alarmText(row.kind).next, wide: true },
      ]}
      {...(row.txHash !== '' && { address: { label: '交易哈希', value: row.txHash } })}
      consequence="关闭只是记录处理结论，不会变动资金或单据；所有人的待办数随之减少，且不能重新打开。"
      reason={{ label: '处理结论' }}
      stateText={(state) => alarmStates[state as keyof typeof alarmStates] ?? String(state)}
      onDone={() => {
        onClose();
        onDone();
      }}
      onClose={onClose}
    />
  );
}
