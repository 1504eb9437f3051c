import { alarm } from '@hengtai/contract/house/alarm/calls';
import { ALARM } from '@hengtai/contract/house/alarm/facts';
import type { AlarmRow } from '@hengtai/contract/house/alarm/schema';
import { useState } from 'react';
import { prefetchList, useList } from '../../../lists/list.ts';
import { useMe } from '../../../api/me.ts';
import { ReviewListFrame } from '../../../lists/ReviewListFrame.tsx';
import { useDrawerQueue } from '../../../lists/QueueButton.tsx';
import { useCanReview } from '../../../lists/can-review.ts';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { onDemand } from '../../../ui/page/on-demand.tsx';
import { CloseDialog } from './CloseDialog.tsx';
import { alarmColumns } from './columns.tsx';
import { disabledReasonOf } from './disabled-reason.ts';

const AlarmDrawer = onDemand(async () => (await import('./AlarmDrawer.tsx')).AlarmDrawer);

prefetchList(alarm.list, '/alarm');

/** 告警: situations that an operator has to handle and that no record shows in its state. */
export function AlarmPage() {
  const me = useMe();
  const list = useList(alarm.list, { seconds: 15 });
  const [closing, setClosing] = useState<AlarmRow>();
  const disabledReason = useCanReview('alarm') ? undefined : '没有可关闭的告警';
  const queue = useDrawerQueue(list, { queueKey: 'alarmOpen', waiting: ALARM.open, disabledReason });

  return (
    <ReviewListFrame
      list={list}
      reviewType="alarm"
      note={queue.note}
      tools={queue.button}
      columns={alarmColumns}
      onOpen={list.open}
      emptyHint="需要人工处理的情况会出现在这里，例如退回后又打款、冲正时余额不足、冻结余额不符。"
      actions={{
        width: 116,
        open: '详情',
        render: (row) => (
          <GreyedAction disabledReason={disabledReasonOf(row, me)} onClick={() => setClosing(row)}>
            关闭
          </GreyedAction>
        ),
      }}
    >
      <AlarmDrawer id={list.openId} onEnd={setClosing} onClose={queue.close} />
      {closing && (
        <CloseDialog row={closing} onDone={() => queue.onDecided(closing.id)} onClose={() => setClosing(undefined)} />
      )}
    </ReviewListFrame>
  );
}
