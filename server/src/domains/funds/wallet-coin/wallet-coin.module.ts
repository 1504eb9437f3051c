import type { Module } from '../../module.ts';
import { compareWallets } from './wallet-coin.jobs.ts';
import { walletCoinWaiting } from './wallet-coin-waiting.store.ts';
import { readWalletCoin } from './wallet-coin.service.ts';
import { listWalletCoins } from './wallet-coin.store.ts';

export const walletCoinModule = {
  routes: { list: listWalletCoins, detail: readWalletCoin },
  jobs: [{ name: 'wallet-coin', everyMs: 30_000, run: compareWallets }],
  waiting: walletCoinWaiting,
} satisfies Module<'walletCoin'>;
