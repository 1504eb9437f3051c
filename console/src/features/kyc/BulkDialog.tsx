import { type KycAction, kyc, kycRejectReasons } from '@hengtai/contract/kyc';
import type { KycRow } from '@hengtai/contract/kyc.schema';
import { useAction } from '../../api/hooks.ts';
import { BulkActionDialog } from '../../actions/BulkActionDialog.tsx';
import type { BulkLine } from '../../ui/BulkResults.tsx';
import { STALE } from './KycDialog.tsx';
import { actionLabels, disabledReasonOf } from './actions.ts';

interface Props {
  action: KycAction;
  rows: readonly KycRow[];
  onClose: () => void;
  onDone: (results: readonly BulkLine[]) => void;
}

const PASS_REASONS = ['已逐条核对', '证件与信息一致'] as const;

/** Level 3: passes or rejects several submissions. */
export function BulkDialog({ action, rows, onClose, onDone }: Props) {
  const passMany = useAction(kyc.passMany, { invalidate: STALE });
  const rejectMany = useAction(kyc.rejectMany, { invalidate: STALE });
  const { verb, short, danger } = actionLabels[action];
  const disabledCount = rows.filter((row) => disabledReasonOf(action, row, true) !== undefined).length;
  const advanced = rows.filter(({ level }) => level === 2).length;

  return (
    <BulkActionDialog
      title={`批量${verb}`}
      verb={verb}
      danger={danger}
      details={[
        { label: '条数', value: `${rows.length} 条` },
        { label: '高级认证', value: `${advanced} 条` },
        { label: `不可${short}`, value: `${disabledCount} 条` },
      ]}
      consequence="逐条执行，平台逐条收到通知；状态已变化的不受影响并列出原因。"
      ids={rows.map(({ id }) => id)}
      reasons={action === 'pass' ? PASS_REASONS : kycRejectReasons}
      submit={(action === 'pass' ? passMany : rejectMany).submit}
      onClose={onClose}
      onDone={onDone}
    />
  );
}
