import type { Module } from '../../module.ts';
import { walletEvents } from './wallet.events.ts';

export const walletModule = { routes: {}, events: walletEvents } satisfies Module<'wallet'>;
