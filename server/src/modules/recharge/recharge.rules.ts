import { ENTRY, PLATFORM } from '@hengtai/contract/money';
import type { AccountName } from '../../ledger/account.ts';
import { activeOf, ownerOf } from '../../ledger/hold.ts';
import { type Leg, leg } from '../../ledger/post.ts';

/** The fields of a recharge that its ledger legs need; `amount` is a decimal string. */
export interface RechargeMoney {
  userId: number;
  agentId: number;
  marketId: number;
  amount: string;
}

export const fundAccount = (recharge: RechargeMoney): AccountName =>
  activeOf(ownerOf(recharge, recharge.marketId, PLATFORM.fund));

export const custodyOf = ({ userId, marketId }: RechargeMoney): AccountName => ({
  house: 'custody',
  stripe: userId,
  marketId,
});

/** Legs of a credit: custody is debited and the fund account credited with the whole amount. */
export const creditLegs = (recharge: RechargeMoney): Leg[] => [
  leg(custodyOf(recharge), fundAccount(recharge), recharge.amount, ENTRY.recharge),
];
