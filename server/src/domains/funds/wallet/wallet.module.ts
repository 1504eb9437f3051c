import type { Module } from '../../module.ts';
import { matchOpenMoves } from './match.jobs.ts';
import { walletEvents } from './wallet.events.ts';

export const walletModule = {
  routes: {},
  events: walletEvents,
  jobs: [{ name: 'chain-match', everyMs: 5_000, run: matchOpenMoves }],
} satisfies Module<'wallet'>;
