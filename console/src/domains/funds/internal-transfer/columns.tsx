import { internalTransfer } from '@hengtai/contract/funds/internal-transfer/calls';
import { transferStates } from '@hengtai/contract/funds/internal-transfer/facts';
import type { TransferRow } from '@hengtai/contract/funds/internal-transfer/schema';
import { type Platform, platformLabels } from '@hengtai/contract/values/money';
import { agentCell, userAccount, userCell } from '../../../navigation/account-cells.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { listColOf } from '../../../ui/table/columns.ts';
import { moneyCell, stateCell, timeCell } from '../../../ui/table/list-cells.tsx';
import { transferTones } from '../../../records/state-tones.ts';

const col = listColOf<TransferRow>()(internalTransfer.list.list.columns);
const platform = (value: number) => platformLabels[value as Platform] ?? value;

export const transferColumns = [
  col('id', { width: 84, fixed: 'left', locked: true }),
  col('account', { width: 200, render: userCell }),
  col('toAccount', { width: 172, render: (value, { toUserId }) => userAccount(value, toUserId) }),
  col('marketName', { width: 72, unitOf: 'amount' }),
  col('amount', { width: 186, align: 'right', render: moneyCell }),
  col('createdAt', { width: 104, render: timeCell }),
  col('platform', { width: 104, under: 'account', render: platform }),
  col('toPlatform', { width: 104, under: 'toAccount', render: platform }),
  col('state', { width: 90, render: stateCell(transferStates, transferTones) }),
  col('agent', { width: 130, under: 'account', render: agentCell }),
  col('no', { width: 180, hidden: true, render: (value) => <Hash value={value} label="平台单号" /> }),
  col('userId', { width: 110, hidden: true }),
  col('toUserId', { width: 110, hidden: true }),
];

export const transferSums = [{ field: 'amount', label: '数量' }] as const;
