import { walletCoin } from '@hengtai/contract/funds/wallet-coin/calls';
import { proposalKinds, walletCoinStates } from '@hengtai/contract/funds/wallet-coin/facts';
import type { WalletCoinRow } from '@hengtai/contract/funds/wallet-coin/schema';
import { listColOf } from '../../../ui/table/columns.ts';
import { moneyCell, stateCell, timeCell } from '../../../ui/table/list-cells.tsx';
import type { Tone } from '../../../ui/value/StateTag.tsx';
import { CoverDays, Difference, ReadAt } from './cells.tsx';

export const coinTones: Readonly<Record<number, Tone>> = { 0: 'idle', 1: 'good', 2: 'warn' };

const col = listColOf<WalletCoinRow>()(walletCoin.list.list.columns);

export const walletCoinColumns = [
  col('marketName', { width: 76, fixed: 'left', locked: true }),
  col('state', { width: 84, render: stateCell(walletCoinStates, coinTones) }),
  col('custody', { width: 142, align: 'right', render: moneyCell }),
  col('liabilities', { width: 142, under: 'custody', align: 'right', render: moneyCell }),
  col('wallets', { width: 142, align: 'right', render: moneyCell }),
  col('underWay', { width: 142, under: 'wallets', align: 'right', render: moneyCell }),
  col('difference', { width: 142, align: 'right', render: (value) => <Difference value={value} /> }),
  col('hot', { width: 142, align: 'right', render: moneyCell }),
  col('days', { width: 104, under: 'hot', align: 'right', render: (_value, row) => <CoverDays row={row} /> }),
  col('proposal', {
    width: 104,
    under: 'hot',
    align: 'right',
    render: (value) => value && <span className="ht-value-warn">{proposalKinds[value.kind]}</span>,
  }),
  col('readAt', { width: 108, render: (_value, row) => <ReadAt value={row.readAt} now={row.createdAt} /> }),
  col('createdAt', { width: 104, drawer: true, render: timeCell }),
];
