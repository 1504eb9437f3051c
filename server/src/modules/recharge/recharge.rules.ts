import { ENTRY, PLATFORM } from '@hengtai/contract/money';
import type { AccountName } from '../../ledger/account.ts';
import type { Leg } from '../../ledger/post.ts';

/** The fields of a recharge that its ledger legs need; `amount` is a decimal string. */
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

/** Legs of a credit: custody is debited and the fund account credited with the whole amount. */
export const creditLegs = (recharge: RechargeMoney): Leg[] => [
  {
    debit: { house: 'custody', stripe: recharge.userId, marketId: recharge.marketId },
    credit: fundAccount(recharge),
    amount: recharge.amount,
    debitType: ENTRY.recharge,
    creditType: ENTRY.recharge,
  },
];
