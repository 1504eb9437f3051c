import { wallet } from '@hengtai/contract/funds/wallet/calls';
import { walletDiffers, walletKinds, walletStates } from '@hengtai/contract/funds/wallet/facts';
import type { WalletRow } from '@hengtai/contract/funds/wallet/schema';
import { listColOf } from '../../../ui/table/columns.ts';
import { moneyCell, stateCell, textCell, timeCell } from '../../../ui/table/list-cells.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { differsTones, walletStateTones } from './exported/words.ts';

const col = listColOf<WalletRow>()(wallet.list.list.columns);

export const walletColumns = [
  col('id', { width: 72, fixed: 'left', locked: true }),
  col('name', { width: 136, render: textCell }),
  col('kind', { width: 104, under: 'name', render: (value) => walletKinds[value] }),
  col('marketName', { width: 72, unitOf: 'amount' }),
  col('network', { width: 104, under: 'amount', render: textCell }),
  col('amount', { width: 150, align: 'right', render: moneyCell }),
  col('differs', { width: 96, render: stateCell(walletDiffers, differsTones) }),
  col('difference', { width: 140, align: 'right', render: moneyCell }),
  col('reading', { width: 150, align: 'right', drawer: true, render: moneyCell }),
  col('readAt', { width: 104, render: timeCell }),
  col('block', { width: 104, drawer: true }),
  col('address', { width: 130, drawer: true, render: (value) => <Hash value={value} label="地址" /> }),
  col('memo', { width: 104, drawer: true, render: textCell }),
  col('state', { width: 84, render: stateCell(walletStates, walletStateTones) }),
  col('platformName', { width: 130, drawer: true, render: textCell }),
  col('no', { width: 160, drawer: true, render: (value) => <Hash value={value} label="平台单号" /> }),
  col('createdAt', { width: 104, drawer: true, render: timeCell }),
];
