import { kyc } from '@hengtai/contract/risk/kyc/calls';
import type { KycRevealed, KycRow } from '@hengtai/contract/risk/kyc/schema';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';
import type { Outcome } from '../../../api/hooks.ts';
import { toast } from '../../../api/toast.ts';
import { ensureMaskedName, ensureMaskedNumber } from './columns.tsx';
import { isLongAccount } from '../../../records/long-account.ts';

interface Props {
  row: KycRow;
  onClose: () => void;
  onDone: (revealed: KycRevealed) => void;
}

/** Asks for a reason before it reveals the name and the number. The reason goes to the audit log. */
export function RevealDialog({ row, onClose, onDone }: Props) {
  function onReveal(outcome: Outcome<KycRevealed | null>) {
    // The answer to a retry has no data: only the first answer reveals it.
    if (outcome.kind === 'done' && outcome.data) return onDone(outcome.data);
    toast.info('请重新查看');
    onClose();
  }

  return (
    <ActionDialog
      call={kyc.reveal}
      input={{ id: row.id }}
      successText={() => undefined}
      verb="查看"
      details={[
        { label: '用户', value: `${row.account}（${row.userId}）`, wide: isLongAccount(row.account) },
        { label: '姓名', value: ensureMaskedName(row.name) },
        { label: '证件号码', value: ensureMaskedNumber(row.idNumber) },
      ]}
      consequence="将显示完整姓名与证件号码，直到离开这条记录。本次查看与原因会写入审计日志。"
      onDone={onReveal}
      onClose={onClose}
    />
  );
}
