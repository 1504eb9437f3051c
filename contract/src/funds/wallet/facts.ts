import type { NounFacts } from '../../authority/action.ts';
import { walletItemActions, walletItemStates } from './item.ts';

/** What a wallet is for, as the platform says. */
export const walletKinds = {
  hot: '热钱包',
  warm: '温钱包',
  cold: '冷钱包',
  deposit: '充值钱包',
  gas: '手续费钱包',
  exchange: '交易所账户',
} as const;
export type WalletKind = keyof typeof walletKinds;

export const walletFacts = {
  actions: { ...walletItemActions },
  targets: {
    wallet: { label: '钱包' },
    chainFee: { label: '链上手续费', path: '/house/entry?type=28&refId={id}', ledgerOnly: true },
    chainMove: { label: '链上流水' },
    wallet: { label: '钱包' },
    walletItem: { label: '链上差异', states: walletItemStates },
  },
} as const satisfies NounFacts;
