import { type AuthAction, auth, authRejectReasons } from '@hengtai/contract/auth';
import type { AuthRow } from '@hengtai/contract/auth.schema';
import { BULK_MAX } from '@hengtai/contract/list';
import { settle } from '../../api/fault.ts';
import { newKey, useAction } from '../../api/hooks.ts';
import type { BulkLine } from '../../ui/BulkResults.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { STALE } from './AuthDialog.tsx';
import { deedWords, whyNot } from './deeds.ts';

interface Props {
  action: AuthAction;
  rows: readonly AuthRow[];
  onClose: () => void;
  onDone: (results: readonly BulkLine[]) => void;
}

const PASS_REASONS = ['已逐条核对', '证件与信息一致'] as const;

/** Level 3: many customers at once. The count is typed and a reason given; each has its own outcome. */
export function BulkDialog({ action, rows, onClose, onDone }: Props) {
  const passMany = useAction(auth.passMany, { invalidate: STALE });
  const rejectMany = useAction(auth.rejectMany, { invalidate: STALE });
  const { verb, short, danger } = deedWords[action];
  const closed = rows.filter((row) => whyNot(action, row, true) !== undefined).length;
  const advanced = rows.filter(({ level }) => level === 2).length;

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
      facts={[
        { label: '条数', value: `${rows.length} 条` },
        { label: '高级认证', value: `${advanced} 条` },
        { label: `不可${short}`, value: `${closed} 条` },
      ]}
      consequence="逐条执行，平台逐条收到通知；状态已变化的不受影响并列出原因。"
      blocked={rows.length > BULK_MAX ? `一次最多 ${BULK_MAX} 条` : undefined}
      reason={{ required: true, chips: action === 'pass' ? PASS_REASONS : authRejectReasons }}
      challenge={{ label: '请输入条数以确认', expect: String(rows.length) }}
      makeKey={newKey}
      run={submit}
      onClose={onClose}
    />
  );
}
