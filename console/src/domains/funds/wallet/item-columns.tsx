import { wallet } from '@hengtai/contract/funds/wallet/calls';
import { WALLET_ITEM, walletItemCauses, walletItemStates } from '@hengtai/contract/funds/wallet/item';
import type { WalletItem } from '@hengtai/contract/funds/wallet/item-schema';
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
  col('id', { width: 64, fixed: 'left', locked: true }),
  col('state', { width: 80, render: stateCell(walletItemStates, itemTones) }),
  col('why', { width: 136, render: (value) => walletItemCauses[value] }),
  col('platformName', { width: 130, under: 'why', render: textCell }),
  col('marketName', { width: 72, unitOf: 'amount' }),
  col('amount', { width: 136, align: 'right', render: signed }),
  col('excess', { width: 136, under: 'amount', align: 'right', render: signed }),
  col('move', { width: 140, render: (move) => <Hash value={move?.no ?? ''} what="链上流水单号" short /> }),
  col('record', {
    width: 110,
    render: (record) => (record ? <TargetLink target={{ targetType: record.type, targetId: record.id }} /> : '--'),
  }),
  col('txHash', {
    width: 140,
    under: 'move',
    render: (value, { explorer }) => <Hash value={value} what="交易哈希" explorer={explorer} short />,
  }),
  col('network', { width: 110, under: 'record', render: textCell }),
  col('createdAt', { width: 100, render: timeCell }),
  col('by', { width: 130, drawer: true, render: operatorCell }),
  col('secondBy', { width: 130, drawer: true, render: operatorCell }),
  col('reason', { width: 160, drawer: true, render: textCell }),
  col('explainedAt', { width: 104, drawer: true, render: timeCell }),
];
