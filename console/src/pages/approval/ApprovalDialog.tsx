import { approval } from '@hengtai/contract/approval';
import type { ApprovalRow } from '@hengtai/contract/approval.schema';
import { home } from '@hengtai/contract/home';
import { withdraw } from '@hengtai/contract/withdraw';
import { settle } from '../../api/fault.ts';
import { newKey, useAction } from '../../api/hooks.ts';
import { notify } from '../../api/notice.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Time } from '../../ui/Time.tsx';
import { type Decision, decisionWords, placeOf, rejectReasons, stateText } from './deeds.ts';

interface Props {
  decision: Decision;
  row: ApprovalRow;
  onClose: () => void;
  onDone: (row: ApprovalRow) => void;
}

const STALE = [approval.list, withdraw.list, withdraw.detail, home.state];

/** Level 2: the second person's yes or no. */
export function ApprovalDialog({ decision, row, onClose, onDone }: Props) {
  const pass = useAction(approval.pass, { invalidate: STALE });
  const reject = useAction(approval.reject, { invalidate: STALE });
  const { verb, danger } = decisionWords[decision];

  async function run(reason: string, key: string) {
    const { id } = row;
    const fault = await settle(async () => {
      const outcome = await (decision === 'reject'
        ? reject.submit({ id, reason }, key)
        : pass.submit(reason === '' ? { id } : { id, reason }, key));
      if (outcome.kind === 'done') notify.success(outcome.msg);
    });
    if (!fault) onDone(row);
    return fault;
  }

  return (
    <ConfirmDialog
      title={`${verb} #${row.id}`}
      verb={verb}
      danger={danger}
      amounts={row.amount === null ? undefined : [{ value: row.amount, unit: 'USDT' }]}
      facts={[
        { label: '操作', value: row.title },
        { label: '对象', value: placeOf(row).text },
        { label: '用户', value: row.account === null ? '--' : `${row.account}（${row.userId}）` },
        { label: '提交人', value: row.maker },
        { label: '提交时间', value: <Time value={row.createdAt} /> },
        { label: '原因', value: row.reason || '--' },
      ]}
      consequence={
        decision === 'pass'
          ? `通过后立即执行「${row.title}」，执行前会重新检查全部条件。`
          : `「${row.title}」不会执行，对象回到提交前的状态。`
      }
      reason={{ required: decision === 'reject', chips: decision === 'reject' ? rejectReasons : [] }}
      stateText={stateText}
      makeKey={newKey}
      run={run}
      onClose={onClose}
    />
  );
}
