import { autoPayout } from '@hengtai/contract/risk/auto-payout/calls';
import { autoStops } from '@hengtai/contract/risk/auto-payout/labels';
import type { AutoCoin } from '@hengtai/contract/risk/auto-payout/schema';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';
import { AFTER_APPROVAL } from '../../../actions/approval-words.ts';
import { useRead } from '../../../api/hooks.ts';
import { useLocked } from '../../../api/me.ts';
import { operatorDetail } from '../../../navigation/account-cells.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { Causes } from './Causes.tsx';

interface Props {
  coin: AutoCoin;
  onClose: () => void;
}

/** Level 2: starts automatic payouts of a coin again, with what stopped them in sight. */
export function StartDialog({ coin: { marketId, marketName, stopped, updatedAt, on }, onClose }: Props) {
  const isLocked = useLocked();
  const query = useRead(autoPayout.detail, { id: marketId }, { staleTime: 0 });
  const { data } = query;
  const causes = data?.causes.filter(({ handledAt }) => handledAt === null) ?? [];
  const consequence = on
    ? '此后申请的提现重新由系统判断，额度内的自动打款。暂停期间转人工的提现仍由人工审核。'
    : '额度为关闭：恢复后仍不自动打款，直到在额度中开启。';
  return (
    <ActionDialog
      call={autoPayout.start}
      input={{ marketId, seen: updatedAt }}
      title={`恢复自动打款：${marketName}`}
      verb="恢复自动打款"
      needsChecker={isLocked}
      details={[
        { label: '暂停原因', value: stopped ? autoStops[stopped.why] : '--' },
        { label: '暂停时间', value: <Time value={stopped?.at} /> },
        { label: '暂停人', value: stopped?.by ? operatorDetail(stopped.by) : '系统' },
        ...(causes.length > 0 ? [{ label: '未处理的起因', value: <Causes causes={causes} />, wide: true }] : []),
      ]}
      query={query}
      blocked={query.error && !data ? '未能加载暂停的起因' : undefined}
      consequence={isLocked ? `${AFTER_APPROVAL}：${consequence}` : consequence}
      successText={`已恢复 ${marketName} 的自动打款`}
      onClose={onClose}
    />
  );
}
