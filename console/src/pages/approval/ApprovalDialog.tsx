import { approval, approvalRejectReasons } from '@hengtai/contract/approval';
import type { ApprovalRow } from '@hengtai/contract/approval.schema';
import { home } from '@hengtai/contract/home';
import { user } from '@hengtai/contract/user';
import { withdraw } from '@hengtai/contract/withdraw';
import { faultOf, settle } from '../../api/fault.ts';
import { newKey, useAction, useRead } from '../../api/hooks.ts';
import { notify } from '../../api/notice.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Hash } from '../../ui/Hash.tsx';
import { Time } from '../../ui/Time.tsx';
import { targetText } from '@hengtai/contract/target';
import { ApprovalContent } from './ApprovalContent.tsx';
import { type Decision, decisionWords, problemText, stateText } from './deeds.ts';

interface Props {
  decision: Decision;
  row: ApprovalRow;
  onClose: () => void;
  onDone: (row: ApprovalRow) => void;
}

const STALE = [
  approval.list,
  approval.detail,
  approval.open,
  withdraw.list,
  withdraw.detail,
  user.list,
  user.detail,
  home.state,
];

/** Level 2: the second person's yes or no, to exactly what stands here: its hash goes along with the yes. */
export function ApprovalDialog({ decision, row, onClose, onDone }: Props) {
  const { id } = row;
  const { data: detail, error } = useRead(approval.detail, { id }, { staleTime: 0 });
  const pass = useAction(approval.pass, { invalidate: STALE });
  const reject = useAction(approval.reject, { invalidate: STALE });
  const { verb, danger } = decisionWords[decision];
  const passing = decision === 'pass';

  async function run(reason: string, key: string) {
    const hash = detail?.row.hash;
    const fault = await settle(async () => {
      const outcome = await (passing
        ? pass.submit({ id, ...(hash !== undefined && { hash }), ...(reason !== '' && { reason }) }, key)
        : reject.submit({ id, reason }, key));
      if (outcome.kind === 'done') notify.success(outcome.msg);
    });
    if (!fault) onDone(row);
    return fault;
  }

  return (
    <ConfirmDialog
      title={`${verb} #${id}`}
      verb={verb}
      danger={danger}
      width={680}
      loading={!detail && !error}
      blocked={passing ? (error && !detail ? faultOf(error).msg : problemText(detail)) : undefined}
      amounts={row.amount === null ? undefined : [{ value: row.amount, unit: 'USDT' }]}
      facts={[
        { label: '操作', value: row.title },
        { label: '对象', value: targetText(row) },
        { label: '提交人', value: row.maker },
        { label: '提交时间', value: <Time value={row.createdAt} /> },
      ]}
      reason={{ required: !passing, chips: passing ? [] : approvalRejectReasons }}
      stateText={stateText}
      makeKey={newKey}
      run={run}
      onClose={onClose}
    >
      {detail && <ApprovalContent detail={detail} />}
      <p className="ap-print">
        <span className="ht-faint">内容指纹</span> <Hash value={row.hash} what="内容指纹" />
      </p>
      <p className="ht-consequence" data-danger={danger}>
        {passing
          ? `通过后立即执行「${row.title}」，执行前会重新检查全部条件，并核对内容指纹。`
          : `「${row.title}」不会执行，对象回到提交前的状态。`}
      </p>
    </ConfirmDialog>
  );
}
