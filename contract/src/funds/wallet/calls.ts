import { walletItemCalls } from './item-calls.ts';

/** Wallets come from the platform; operators explain what does not fit. */
export const wallet = {
  ...walletItemCalls,
};
