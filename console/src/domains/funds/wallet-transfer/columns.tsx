import { walletTransfer } from '@hengtai/contract/funds/wallet-transfer/calls';
import { walletTransferStates } from '@hengtai/contract/funds/wallet-transfer/facts';
import type { WalletTransferRow } from '@hengtai/contract/funds/wallet-transfer/schema';
import { walletKinds } from '@hengtai/contract/funds/wallet/facts';
import { operatorCell } from '../../../navigation/account-cells.tsx';
import { listColOf } from '../../../ui/table/columns.ts';
import { moneyCell, stateCell, textCell, timeCell } from '../../../ui/table/list-cells.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { transferTones } from './words.ts';

const col = listColOf<WalletTransferRow>()(walletTransfer.list.list.columns);
const hashCell = (value: string | null) => <Hash value={value ?? ''} label="交易哈希" />;

export const walletTransferColumns = [
  col('id', { width: 64, fixed: 'left', locked: true }),
  col('state', { width: 88, render: stateCell(walletTransferStates, transferTones) }),
  col('marketName', { width: 72, unitOf: 'amount' }),
  col('amount', { width: 140, align: 'right', render: moneyCell }),
  col('network', { width: 104, under: 'amount', render: textCell }),
  col('fromWallet', { width: 120, render: textCell }),
  col('fromKind', { width: 104, under: 'fromWallet', render: (value) => walletKinds[value] }),
  col('toWallet', { width: 120, render: textCell }),
  col('toKind', { width: 104, under: 'toWallet', render: (value) => walletKinds[value] }),
  col('reason', { width: 116, render: textCell }),
  col('by', { width: 116, under: 'reason', render: operatorCell }),
  col('createdAt', { width: 100, render: timeCell }),
  col('secondBy', { width: 130, drawer: true, render: operatorCell }),
  col('answer', { width: 150, drawer: true, render: textCell }),
  col('resolvedBy', { width: 130, drawer: true, render: operatorCell }),
  col('outHash', { width: 150, drawer: true, render: hashCell }),
  col('inHash', { width: 150, drawer: true, render: hashCell }),
  col('updatedAt', { width: 104, drawer: true, render: timeCell }),
  col('platformName', { width: 130, drawer: true, render: textCell }),
  col('no', { width: 104, drawer: true }),
];
