import { ENTRY, PLATFORM } from '@hengtai/contract/money';
import type { AccountName } from '../ledger/account.ts';
import type { Leg } from '../ledger/post.ts';

/** What the ledger needs to know of a recharge. */
export interface RechargeMoney {
  userId: number;
  agentId: number;
  marketId: number;
  amount: string;
}

export const fundAccount = (recharge: RechargeMoney): AccountName => ({
  user: { id: recharge.userId, agentId: recharge.agentId },
  marketId: recharge.marketId,
  platform: PLATFORM.fund,
  bucket: 'active',
});

/** Credited: what lies in custody is the user's to use. The whole amount, nothing is rounded. */
export const creditLegs = (recharge: RechargeMoney): Leg[] => [
  {
    debit: { house: 'custody', stripe: recharge.userId, marketId: recharge.marketId },
    credit: fundAccount(recharge),
    amount: recharge.amount,
    debitType: ENTRY.recharge,
    creditType: ENTRY.recharge,
  },
];
