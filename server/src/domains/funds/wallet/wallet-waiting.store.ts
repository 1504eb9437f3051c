import { openItemStates } from '@hengtai/contract/funds/wallet/item';
import { sql } from 'kysely';
import { literals } from '../../../database/literals.ts';
import type { Waiting } from '../../../realtime/waiting.store.ts';

export const walletWaiting = {
  walletItemOpen: {
    // Row-level security shows the rows with full scope only.
    from: () => sql`wallet_item i where i.state in (${literals(...openItemStates)})`,
  },
} satisfies Record<string, Waiting>;
