import { WALLET_COIN } from '@hengtai/contract/funds/wallet-coin/facts';
import { sql } from 'kysely';
import type { Waiting } from '../../../realtime/waiting.store.ts';

export const walletCoinWaiting = {
  walletDifferent: {
    // Row-level security shows the rows with full scope only.
    from: () => sql`wallet_coin c where c.state = ${sql.lit(WALLET_COIN.different)}`,
  },
} satisfies Record<string, Waiting>;
