import { home } from '@hengtai/contract/home';
import { withdraw, withdrawRejectReasons } from '@hengtai/contract/withdraw';
import type { WithdrawRow } from '@hengtai/contract/withdraw.schema';
import { useAction } from '../../api/hooks.ts';
import { BulkActionDialog } from '../../actions/BulkActionDialog.tsx';
import type { BulkLine } from '../../ui/BulkResults.tsx';
import { pageSums } from '../../ui/page-sums.ts';
import { withdrawPageSum } from './columns.tsx';
import { actionLabels, disabledReasonOf } from './actions.ts';

interface Props {
  action: 'pass' | 'reject';
  rows: readonly WithdrawRow[];
  onClose: () => void;
  onDone: (results: readonly BulkLine[]) => void;
}

const STALE = [withdraw.list, withdraw.detail, home.state];
const PASS_REASONS = ['已逐条核对', '小额常用地址'] as const;

/** Level 3: passes or rejects several withdrawals. */
export function BulkDialog({ action, rows, onClose, onDone }: Props) {
  const passMany = useAction(withdraw.passMany, { invalidate: STALE });
  const rejectMany = useAction(withdraw.rejectMany, { invalidate: STALE });
  const { verb, short, danger } = actionLabels[action];
  const disabledCount = rows.filter((row) => disabledReasonOf(action, row, true) !== undefined).length;
  const users = new Set(rows.map(({ userId }) => userId)).size;
  const risky = rows.filter(({ risk }) => risk.length > 0).length;

  return (
    <BulkActionDialog
      title={`批量${verb}`}
      verb={verb}
      danger={danger}
      amounts={pageSums(rows, withdrawPageSum).map(({ coin, value }) => ({ value, unit: coin }))}
      details={[
        { label: '条数', value: `${rows.length} 条` },
        { label: '用户', value: `${users} 位` },
        { label: '有风险', value: `${risky} 条` },
        { label: `不可${short}`, value: `${disabledCount} 条` },
      ]}
      consequence={
        action === 'pass'
          ? '逐条执行：通过的提现将打款，链上转账发出后无法撤回；超过复核额度的转为提交复核；状态已变化的不受影响并列出原因。'
          : '逐条执行：驳回的提现退回用户可用余额；状态已变化的不受影响并列出原因。'
      }
      ids={rows.map(({ id }) => id)}
      reasons={action === 'pass' ? PASS_REASONS : withdrawRejectReasons}
      submit={(action === 'pass' ? passMany : rejectMany).submit}
      onClose={onClose}
      onDone={onDone}
    />
  );
}
