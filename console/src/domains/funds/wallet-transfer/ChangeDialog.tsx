import { walletTransfer, walletTransferOutcomes } from '@hengtai/contract/funds/wallet-transfer/calls';
import type { WalletTransferRow } from '@hengtai/contract/funds/wallet-transfer/schema';
import { Radio } from 'antd';
import { useState } from 'react';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import { Time } from '../../../ui/value/Time.tsx';
import { type TransferChange, transferStateText } from './words.ts';

type Outcome = keyof typeof walletTransferOutcomes;
const OUTCOMES = Object.keys(walletTransferOutcomes) as Outcome[];

const consequences: Readonly<Record<Outcome, string>> = {
  true: '调拨记为「已完成」，不再占用转出钱包的可用数量。账本不变，钱包余额仍以平台报告为准。',
  false: '调拨记为「调拨失败」，释放转出钱包的可用数量。钱包若其实已转出，仍会在对账中显示。',
};

/** Level 2: cancels a transfer that nobody was given yet, or records the outcome of one that stays open. */
export function ChangeDialog({
  change,
  row,
  onClose,
}: RecordDialogProps<WalletTransferRow> & { change: TransferChange }) {
  const [outcome, setOutcome] = useState<Outcome>();
  const common = {
    amounts: [{ value: row.amount, unit: row.marketName }],
    details: [
      { label: '转出钱包', value: row.fromWallet },
      { label: '转入钱包', value: row.toWallet },
      { label: '状态', value: transferStateText(row.state) },
      { label: '时间', value: <Time value={row.createdAt} /> },
    ],
    stateText: transferStateText,
    onClose,
  };
  if (change === 'cancel') {
    return (
      <ActionDialog
        {...common}
        call={walletTransfer.cancel}
        input={{ id: row.id }}
        consequence="指令不再下发，调拨改为「已撤销」。钱包刚刚领取的不能撤销。"
      />
    );
  }
  return (
    <ActionDialog
      {...common}
      call={walletTransfer.resolve}
      input={{ id: row.id, done: outcome === 'true' }}
      {...(outcome !== undefined && { consequence: consequences[outcome] })}
      reason={{ label: '核对依据', chips: ['已在链上核对：已转出', '已在链上核对：未转出'] }}
      blocked={outcome === undefined ? '请选择结果' : undefined}
    >
      <Radio.Group
        aria-label="调拨结果"
        value={outcome}
        options={OUTCOMES.map((value) => ({ value, label: walletTransferOutcomes[value] }))}
        onChange={(event) => setOutcome(event.target.value as Outcome)}
      />
    </ActionDialog>
  );
}
