import { follow, followCloseReasons } from '@hengtai/contract/follow';
import type { FollowRow } from '@hengtai/contract/follow.schema';
import { futureSides } from '@hengtai/contract/future';
import { SETTLEMENT } from '@hengtai/contract/money';
import { signal } from '@hengtai/contract/signal';
import { settle } from '../../api/fault.ts';
import { newKey, useAction, useRead } from '../../api/hooks.ts';
import { notify } from '../../api/notice.ts';
import { SecondPersonNote } from '../../shell/SecondPersonNote.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Side } from '../../ui/order-parts.tsx';
import { Time } from '../../ui/Time.tsx';
import { isAgain, stateText } from './words.ts';

interface Props {
  row: FollowRow;
  onClose: () => void;
}

const STALE = [follow.list, follow.detail, signal.list, signal.detail];

/** Level 2: the platform is told to end one following; until it says so it shows 结束中. */
export function CloseDialog({ row, onClose }: Props) {
  const detail = useRead(follow.detail, { id: row.id }, { staleTime: 0 });
  const { submit } = useAction(follow.close, { invalidate: STALE });
  const second = detail.data?.second ?? false;
  const now = detail.data?.row ?? row;

  async function run(reason: string, key: string) {
    const fault = await settle(async () => {
      const outcome = await submit(reason === '' ? { id: row.id } : { id: row.id, reason }, key);
      if (outcome.kind === 'done') notify.success('结束指令已发出，等待平台确认');
    });
    if (!fault) onClose();
    return fault;
  }

  return (
    <ConfirmDialog
      title={`结束跟单 #${row.id}`}
      verb={second ? '提交复核' : '结束跟单'}
      danger
      amounts={[{ value: row.amount, unit: SETTLEMENT, note: '跟单本金' }]}
      facts={[
        { label: '用户', value: `${row.account}（${row.userId}）` },
        { label: '所属代理', value: row.agent },
        { label: '信号', value: row.signalTitle, wide: true },
        {
          label: '合约',
          value: (
            <>
              {row.marketName} <Side side={row.side} labels={futureSides} />
            </>
          ),
        },
        { label: '状态', value: stateText(now.state) },
        { label: '跟单时间', value: <Time value={row.createdAt} /> },
      ]}
      consequence={`${second ? '提交后由另一位复核人确认，确认后' : ''}${isAgain(row) ? '再次' : ''}向平台发出结束指令；平台按届时行情了结并报告盈亏，本金连同盈亏退回合约账户，亏损不超过本金。平台确认前显示「结束中」。`}
      loading={detail.isPending}
      reason={{ required: false, chips: followCloseReasons }}
      stateText={stateText}
      makeKey={newKey}
      run={run}
      onClose={onClose}
    >
      {second && <SecondPersonNote userId={row.userId} />}
    </ConfirmDialog>
  );
}
