import { home } from '@hengtai/contract/home';
import { BULK_MAX } from '@hengtai/contract/list';
import { withdraw, withdrawRejectReasons } from '@hengtai/contract/withdraw';
import type { WithdrawRow } from '@hengtai/contract/withdraw.schema';
import { settle } from '../../api/fault.ts';
import { newKey, useAction } from '../../api/hooks.ts';
import type { BulkLine } from '../../ui/BulkResults.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { pageSums } from '../../ui/page-sums.ts';
import { withdrawPageSum } from './columns.tsx';
import { deedWords, whyNot } from './deeds.ts';

export type BulkAction = 'pass' | 'reject';

interface Props {
  action: BulkAction;
  rows: readonly WithdrawRow[];
  onClose: () => void;
  onDone: (results: readonly BulkLine[]) => void;
}

const STALE = [withdraw.list, withdraw.detail, home.state];
const PASS_REASONS = ['已逐条核对', '小额常用地址'] as const;

/** Level 3: many rows at once. The count is typed and a reason given; each row has its own outcome. */
export function BulkDialog({ action, rows, onClose, onDone }: Props) {
  const passMany = useAction(withdraw.passMany, { invalidate: STALE });
  const rejectMany = useAction(withdraw.rejectMany, { invalidate: STALE });
  const { verb, short, danger } = deedWords[action];
  const closed = rows.filter((row) => whyNot(action, row, true) !== undefined).length;
  const users = new Set(rows.map(({ userId }) => userId)).size;
  const risky = rows.filter(({ risk }) => risk.length > 0).length;

  async function submit(reason: string, key: string) {
    let results: readonly BulkLine[] = [];
    const fault = await settle(async () => {
      const ids = rows.map(({ id }) => id);
      const outcome = await (action === 'pass' ? passMany : rejectMany).submit({ ids, reason }, key);
      if (outcome.kind === 'done') ({ results } = outcome.data);
    });
    if (!fault) onDone(results);
    return fault;
  }

  return (
    <ConfirmDialog
      title={`批量${verb}`}
      verb={`${verb} ${rows.length} 条`}
      danger={danger}
      amounts={pageSums(rows, withdrawPageSum).map(({ coin, value }) => ({ value, unit: coin }))}
      facts={[
        { label: '条数', value: `${rows.length} 条` },
        { label: '用户', value: `${users} 位` },
        { label: '有风险', value: `${risky} 条` },
        { label: `不可${short}`, value: `${closed} 条` },
      ]}
      consequence={
        action === 'pass'
          ? '逐条执行：通过的提现将打款，链上转账发出后无法撤回；超过复核额度的转为提交复核；状态已变化的不受影响并列出原因。'
          : '逐条执行：驳回的提现退回用户可用余额；状态已变化的不受影响并列出原因。'
      }
      blocked={rows.length > BULK_MAX ? `一次最多 ${BULK_MAX} 条` : undefined}
      reason={{ required: true, chips: action === 'pass' ? PASS_REASONS : withdrawRejectReasons }}
      challenge={{ label: '请输入条数以确认', expect: String(rows.length) }}
      makeKey={newKey}
      run={submit}
      onClose={onClose}
    />
  );
}
