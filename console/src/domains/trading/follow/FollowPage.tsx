import { ABILITY } from '@hengtai/contract/authority/ability';
import { follow } from '@hengtai/contract/trading/follow/calls';
import type { FollowRow } from '@hengtai/contract/trading/follow/schema';
import { useState } from 'react';
import { useList } from '../../../lists/list.ts';
import { useCan } from '../../../api/me.ts';
import { OrderListFrame } from '../../../lists/OrderListFrame.tsx';
import { CloseDialog } from './CloseDialog.tsx';
import { FollowDrawer } from './FollowDrawer.tsx';
import { stakeSum, followColumns, followPageSums, followSums } from './columns.tsx';
import { NO_ABILITY, canRetry, disabledReasonOf } from './words.ts';

const releasedSum = { ...stakeSum, note: '跟单本金' };

/** 跟单: copy trades that follow signals, and ending them. */
export function FollowPage() {
  const hasAbility = useCan(ABILITY.orders);
  const list = useList(follow.list, { seconds: 15 });
  const [closing, setClosing] = useState<FollowRow>();

  return (
    <OrderListFrame
      targetType="follow"
      list={list}
      columns={followColumns}
      sums={followSums}
      pageSums={followPageSums}
      emptyHint="用户跟随已发布的信号后会出现在这里。信号在「信号」页发布。"
      actionsWidth={132}
      end={{
        label: (row) => (canRetry(row) ? '再次结束' : '结束'),
        disabledReason: hasAbility ? undefined : NO_ABILITY,
        disabledReasonOf: (row) => disabledReasonOf(row, true),
        ask: setClosing,
        bulkLabel: '批量结束',
        bulk: {
          call: follow.closeMany,
          title: '批量结束跟单',
          verb: '结束',
          sum: releasedSum,
          consequence:
            '逐条向平台发出结束指令；平台确认前显示「结束中」。需要复核的转为提交复核，状态已变化的不受影响并列出原因。',
        },
      }}
    >
      <FollowDrawer id={list.openId} hasAbility={hasAbility} onEnd={setClosing} onClose={list.close} />
      {closing && <CloseDialog row={closing} onClose={() => setClosing(undefined)} />}
    </OrderListFrame>
  );
}
