import { type IeoAction, ieo, ieoRejectReasons } from '@hengtai/contract/ieo';
import type { IeoRow } from '@hengtai/contract/ieo.schema';
import { useAction } from '../../api/hooks.ts';
import { BulkActionDialog } from '../../actions/BulkActionDialog.tsx';
import type { BulkLine } from '../../ui/BulkResults.tsx';
import { pageSums } from '../../ui/page-sums.ts';
import { ieoPageSum, ieoPaySum } from './columns.tsx';
import { STALE, actionLabels, disabledReasonOf } from './actions.ts';

interface Props {
  action: IeoAction;
  rows: readonly IeoRow[];
  onClose: () => void;
  onDone: (results: readonly BulkLine[]) => void;
}

const PASS_REASONS = ['已逐条核对', '额度充足'] as const;

/** Level 3: passes or rejects several subscriptions. */
export function BulkDialog({ action, rows, onClose, onDone }: Props) {
  const passMany = useAction(ieo.passMany, { invalidate: STALE });
  const rejectMany = useAction(ieo.rejectMany, { invalidate: STALE });
  const { verb, short, danger } = actionLabels[action];
  const disabledCount = rows.filter((row) => disabledReasonOf(action, row, true) !== undefined).length;
  const users = new Set(rows.map(({ userId }) => userId)).size;
  const sums = pageSums(rows, action === 'pass' ? ieoPageSum : ieoPaySum);
  const note = action === 'pass' ? '发放' : '退款';

  return (
    <BulkActionDialog
      title={`批量${verb}`}
      verb={verb}
      danger={danger}
      amounts={sums.map(({ coin, value }) => ({ value, unit: coin, note }))}
      details={[
        { label: '条数', value: `${rows.length} 条` },
        { label: '用户', value: `${users} 位` },
        { label: `不可${short}`, value: `${disabledCount} 条` },
      ]}
      consequence={
        action === 'pass'
          ? '逐条执行：通过的认购从冻结的 USDT 扣款并发放代币，之后不能撤回；需要复核的转为提交复核；状态已变化的不受影响并列出原因。'
          : '逐条执行：驳回的认购退款到用户可用余额；状态已变化的不受影响并列出原因。'
      }
      ids={rows.map(({ id }) => id)}
      reasons={action === 'pass' ? PASS_REASONS : ieoRejectReasons}
      submit={(action === 'pass' ? passMany : rejectMany).submit}
      onClose={onClose}
      onDone={onDone}
    />
  );
}
