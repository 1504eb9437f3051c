import { wallet } from '@hengtai/contract/funds/wallet/calls';
import { WALLET_ITEM, walletItemCauses, walletItemStates } from '@hengtai/contract/funds/wallet/item';
import type { WalletItem } from '@hengtai/contract/funds/wallet/item.schema';
import { operatorCell } from '../../../navigation/account-cells.tsx';
import { TargetLink } from '../../../navigation/TargetLink.tsx';
import { listColOf } from '../../../ui/table/columns.ts';
import { stateCell, textCell, timeCell } from '../../../ui/table/list-cells.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import type { Tone } from '../../../ui/value/StateTag.tsx';

export const itemTones: Readonly<Record<number, Tone>> = {
  [WALLET_ITEM.waiting]: 'wait',
  [WALLET_ITEM.matched]: 'good',
  [WALLET_ITEM.different]: 'warn',
};

const col = listColOf<WalletItem>()(wallet.items.list.columns);
const signed = (value: string) => <Money value={value} showPlus />;

export const walletItemColumns = [
  col('id', { width: 60, fixed: 'left', locked: true }),
  col('state', { width: 100, render: stateCell(walletItemStates, itemTones) }),
  col('why', { width: 128, render: (value) => walletItemCauses[value] }),
  col('platformName', { width: 130, under: 'why', render: textCell }),
  col('marketName', { width: 72, unitOf: 'amount' }),
  col('amount', { width: 132, align: 'right', render: signed }),
  col('excess', { width: 124, align: 'right', render: signed }),
  col('move', { width: 136, render: (move) => <Hash value={move?.no ?? ''} label="链上流水单号" short /> }),
  col('record', {
    width: 104,
    render: (record) => (record ? <TargetLink target={{ targetType: record.type, targetId: record.id }} /> : '--'),
  }),
  col('txHash', {
    width: 136,
    under: 'move',
    render: (value, { explorer }) => <Hash value={value} label="交易哈希" explorer={explorer} short />,
  }),
  col('network', { width: 104, under: 'record', render: textCell }),
  col('createdAt', { width: 100, under: 'state', render: timeCell }),
  col('by', { width: 130, drawer: true, render: operatorCell }),
  col('secondBy', { width: 130, drawer: true, render: operatorCell }),
  col('reason', { width: 160, drawer: true, render: textCell }),
  col('explainedAt', { width: 104, drawer: true, render: timeCell }),
];
