import type { Module } from '../../module.ts';
import { listItems } from './item-list.store.ts';
import { explainWalletItem } from './item.service.ts';
import { matchOpenMoves } from './match.jobs.ts';
import { walletEvents } from './wallet.events.ts';

export const walletModule = {
  routes: {
    items: listItems,
    explain: explainWalletItem,
  },
  events: walletEvents,
  jobs: [{ name: 'chain-match', everyMs: 5_000, run: matchOpenMoves }],
} satisfies Module<'wallet'>;
