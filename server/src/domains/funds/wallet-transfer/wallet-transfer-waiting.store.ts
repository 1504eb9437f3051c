import { WALLET_TRANSFER } from '@hengtai/contract/funds/wallet-transfer/facts';
import { sql } from 'kysely';
import type { Waiting } from '../../../realtime/waiting.store.ts';

export const walletTransferWaiting = {
  walletTransferUnknown: {
    // Row-level security shows the rows with full scope only.
    from: () => sql`wallet_transfer t where t.state = ${sql.lit(WALLET_TRANSFER.unknown)}`,
  },
} satisfies Record<string, Waiting>;
