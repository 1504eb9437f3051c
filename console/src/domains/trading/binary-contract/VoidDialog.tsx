import { SETTLEMENT } from '@hengtai/contract/values/money';
import { BINARY_CONTRACT_VOID } from '@hengtai/contract/wire/input-values';
import { binaryContract } from '@hengtai/contract/trading/binary-contract/calls';
import type { BinaryContractRow } from '@hengtai/contract/trading/binary-contract/schema';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import { useRead } from '../../../api/hooks.ts';
import { LedgerLines } from '../../../records/LedgerLines.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { kindText, stateText, disabledReasonOf } from './words.ts';
import { AFTER_APPROVAL } from '../../../actions/approval-words.ts';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';

/** Level 2: voids a contract and refunds the whole stake. */
export function VoidDialog({ row, onClose }: RecordDialogProps<BinaryContractRow>) {
  const detail = useRead(binaryContract.detail, { id: row.id }, { staleTime: 0 });
  const needsChecker = detail.data?.approval.needed ?? true;
  const now = detail.data?.row ?? row;
  const lines = detail.data?.preview ?? [];

  return (
    <ActionDialog
      call={binaryContract.change}
      input={{ id: row.id, state: row.state, type: BINARY_CONTRACT_VOID }}
      user={row}
      needsChecker={needsChecker}
      title={`作废秒合约 #${row.id}`}
      verb="作废并退款"
      danger
      width={640}
      amounts={[{ value: row.amount, unit: SETTLEMENT, note: '退款' }]}
      details={[
        { label: '合约', value: `${row.marketName} ${kindText(row)}` },
        { label: '状态', value: stateText(now.state) },
        { label: '开仓价', value: <Money value={now.openPrice} unit={SETTLEMENT} /> },
        { label: '可盈利', value: <Money value={row.payout} unit={SETTLEMENT} /> },
        { label: '下单时间', value: <Time value={row.openAt} /> },
        { label: '到期时间', value: <Time value={row.settleAt} /> },
      ]}
      consequence={`${needsChecker ? AFTER_APPROVAL : ''}合约结束，不计盈亏，下单金额全部退回用户秒合约账户。结算价产生之后不能再作废。`}
      blocked={detail.data && disabledReasonOf(now, true, detail.data.closing)}
      query={detail}
      onClose={onClose}
    >
      {lines.length > 0 && <LedgerLines title="作废后记账" lines={lines} />}
    </ActionDialog>
  );
}
