import { ABILITY } from '../../authority/ability.ts';
import type { NounFacts } from '../../authority/action.ts';
import { openItemStates, walletItemActions, walletItemStates } from './item.ts';

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

export const walletStates = { 0: '停用', 1: '使用中' } as const;

/** Whether the last reading is what the first one and the moves between them give. */
export const walletDiffers = { 0: '相符', 1: '有差额', 2: '没有读数' } as const;

export const walletFacts = {
  actions: { ...walletItemActions },
  targets: {
    wallet: { label: '钱包', path: '/wallet?id={id}&open={id}', states: walletStates },
    chainFee: { label: '链上手续费', path: '/house/entry?type=28&refId={id}', ledgerOnly: true },
    chainMove: { label: '链上流水', path: '/wallet-item' },
    walletItem: { label: '链上差异', path: '/wallet-item?open={id}', states: walletItemStates },
  },
  waiting: {
    walletItemOpen: {
      label: '未处理的链上差异',
      target: 'walletItem',
      query: `?states=${openItemStates.join(',')}`,
      ability: [ABILITY.assets, ABILITY.audit],
    },
  },
} as const satisfies NounFacts;
