import { autoPayout } from '@hengtai/contract/risk/auto-payout/calls';
import { autoStops } from '@hengtai/contract/risk/auto-payout/labels';
import type { AutoCoin } from '@hengtai/contract/risk/auto-payout/schema';
import { useState } from 'react';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';
import { AFTER_APPROVAL } from '../../../actions/approval-words.ts';
import { useRead } from '../../../api/hooks.ts';
import { useFourEyesLocked } from '../../../api/me.ts';
import { operatorDetail } from '../../../navigation/account-cells.tsx';
import { FormPart } from '../../../ui/form/FormPart.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { CauseTicks } from './Causes.tsx';
import { WhatIfPart } from './WhatIfPart.tsx';
import { lookProblemOf } from './words.ts';

interface Props {
  coin: AutoCoin;
  onClose: () => void;
}

/** Level 3: starts automatic payouts of a coin again, after a look at each cause that stopped them. */
export function StartDialog({ coin: { marketId, marketName, stopped, updatedAt, on }, onClose }: Props) {
  const isLocked = useFourEyesLocked();
  const whatIf = useRead(autoPayout.startWhatIf, { marketId });
  const query = useRead(autoPayout.detail, { id: marketId }, { staleTime: 0 });
  const { data } = query;
  const causes = data?.row.causes ?? [];
  const [ticked, setTicked] = useState<readonly number[]>([]);
  // Others may have handled some meanwhile.
  const looked = ticked.filter((id) => causes.some((cause) => cause.id === id));
  const consequence = on
    ? '此后申请的提现重新由系统判断，额度内的自动打款。暂停期间转人工的提现仍由人工审核。'
    : '额度为关闭：恢复后仍不自动打款，直到在额度中开启。';
  return (
    <ActionDialog
      call={autoPayout.start}
      input={{ marketId, seen: updatedAt, causes: looked }}
      title={`恢复自动打款：${marketName}`}
      verb="恢复自动打款"
      width={800}
      needsChecker={isLocked}
      details={[
        { label: '暂停原因', value: stopped ? autoStops[stopped.why] : '--' },
        { label: '暂停时间', value: <Time value={stopped?.at} /> },
        { label: '暂停人', value: stopped?.by ? operatorDetail(stopped.by) : '系统' },
      ]}
      query={query}
      dirty={looked.length > 0}
      challenge={{ label: '请输入币种以确认', expect: marketName }}
      blocked={query.error && !data ? '未能加载暂停的起因' : lookProblemOf(causes, looked)}
      consequence={isLocked ? `${AFTER_APPROVAL}：${consequence}` : consequence}
      successText={`已恢复 ${marketName} 的自动打款`}
      onClose={onClose}
    >
      {causes.length > 0 && (
        <FormPart title="逐条核对起因">
          <CauseTicks causes={causes} looked={looked} onChange={setTicked} />
        </FormPart>
      )}
      <WhatIfPart query={whatIf} />
    </ActionDialog>
  );
}
