import { ENTRY, PLATFORM } from '@hengtai/contract/money';
import { Decimal } from '@hengtai/contract/decimal';
import type { AccountName } from '../ledger/account.ts';
import { type HoldOwner, activeOf, frozenOf, unfreezeLeg } from '../ledger/hold.ts';
import type { Leg } from '../ledger/post.ts';

const WHOLE_MAX = new Decimal(10).pow(18);
const DECIMALS_MAX = 18;

/** What so many tokens cost, exactly; undefined where an amount cannot hold it. */
export function payOf(price: string, amount: string): string | undefined {
  const pay = new Decimal(price).mul(amount);
  return pay.decimalPlaces() > DECIMALS_MAX || pay.gte(WHOLE_MAX) ? undefined : pay.toFixed();
}

/** What the ledger needs to know of a subscription. */
export interface IeoMoney {
  userId: number;
  agentId: number;
  /** The token. */
  marketId: number;
  amount: string;
  /** The settlement asset, in which it is paid for. */
  payMarketId: number;
  pay: string;
}

/** Whose money waits on the funding account while the subscription does. */
export const holdOwner = (ieo: IeoMoney): HoldOwner => ({
  user: { id: ieo.userId, agentId: ieo.agentId },
  marketId: ieo.payMarketId,
  platform: PLATFORM.fund,
});

/**
 * Passed: what was frozen goes to the house's subscription account, and the tokens come from there. Both amounts are those
 * of the row, so nothing is rounded and each coin sums to zero by itself.
 */
export const passedLegs = (ieo: IeoMoney): Leg[] => exchangeLegs(ieo, frozenOf(holdOwner(ieo)));

/** Passed before this installation kept the book: nothing is frozen, so it is paid from what the user has. */
export const importedLegs = (ieo: IeoMoney): Leg[] => exchangeLegs(ieo, activeOf(holdOwner(ieo)));

function exchangeLegs(ieo: IeoMoney, source: AccountName): Leg[] {
  const type = { debitType: ENTRY.subscriptionGrant, creditType: ENTRY.subscriptionGrant };
  const house = (marketId: number): AccountName => ({ house: 'subscription', stripe: ieo.userId, marketId });
  return [
    { debit: source, credit: house(ieo.payMarketId), amount: ieo.pay, ...type },
    {
      debit: house(ieo.marketId),
      credit: activeOf({ ...holdOwner(ieo), marketId: ieo.marketId }),
      amount: ieo.amount,
      ...type,
    },
  ];
}

/** Rejected or cancelled: all of it is the user's to use again. */
export const refundLegs = (ieo: IeoMoney): Leg[] => [unfreezeLeg(holdOwner(ieo), ieo.pay, ENTRY.subscriptionRefund)];
