import type { Module } from '../../module.ts';
import { listItems } from './item-list.store.ts';
import { explainWalletItem } from './item.service.ts';
import { judgeWallets } from './reading.jobs.ts';
import { renewWalletKeys } from './key.jobs.ts';
import { matchOpenMoves } from './match.jobs.ts';
import { walletWaiting } from './wallet-waiting.store.ts';
import { listWallets } from './wallet-list.store.ts';
import { walletEvents } from './wallet.events.ts';

export const walletModule = {
  routes: {
    list: listWallets,
    items: listItems,
    explain: explainWalletItem,
  },
  events: walletEvents,
  waiting: walletWaiting,
  jobs: [
    { name: 'chain-match', everyMs: 5_000, run: matchOpenMoves },
    { name: 'wallet-judge', everyMs: 2_000, run: judgeWallets },
    { name: 'wallet-keys', everyMs: 10_000, run: renewWalletKeys },
  ],
} satisfies Module<'wallet'>;
