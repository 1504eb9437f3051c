import { ENTRY, PLATFORM } from '@hengtai/contract/values/money';
import { Decimal } from '@hengtai/contract/values/decimal';
import type { AccountName } from '../../../books/ledger/account.ts';
import { type HoldOwner, activeOf, frozenOf, ownerOf, unfreezeLeg } from '../../../books/ledger/hold.ts';
import { type Leg, leg } from '../../../books/ledger/post.ts';

const WHOLE_MAX = new Decimal(10).pow(18);
const DECIMALS_MAX = 18;

/** Price times amount, exactly; undefined if it has more than 18 decimals or is 10^18 or more. */
export function computePay(price: string, amount: string): string | undefined {
  const pay = new Decimal(price).mul(amount);
  return pay.decimalPlaces() > DECIMALS_MAX || pay.gte(WHOLE_MAX) ? undefined : pay.toFixed();
}

/** The fields of a subscription that the ledger needs. */
export interface IeoMoney {
  userId: number;
  agentId: number;
  /** The token. */
  marketId: number;
  amount: string;
  /** The settlement asset, in which the subscription is paid. */
  payMarketId: number;
  pay: string;
}

/** The owner and account of the hold of a waiting subscription. */
export const holdOwner = (ieo: IeoMoney): HoldOwner => ownerOf(ieo, ieo.payMarketId, PLATFORM.fund);

/**
 * The legs of a passed subscription: the hold goes to the subscription account of the house, the tokens come from it. Both
 * amounts are stored, so nothing is rounded.
 */
export const passedLegs = (ieo: IeoMoney): Leg[] => exchangeLegs(ieo, frozenOf(holdOwner(ieo)));

/** The legs of an imported, passed subscription. It has no hold, so it is paid from the active balance. */
export const importedLegs = (ieo: IeoMoney): Leg[] => exchangeLegs(ieo, activeOf(holdOwner(ieo)));

function exchangeLegs(ieo: IeoMoney, source: AccountName): Leg[] {
  const house = (marketId: number): AccountName => ({ house: 'subscription', stripe: ieo.userId, marketId });
  const tokens = activeOf({ ...holdOwner(ieo), marketId: ieo.marketId });
  return [
    leg(source, house(ieo.payMarketId), ieo.pay, ENTRY.subscriptionGrant),
    leg(house(ieo.marketId), tokens, ieo.amount, ENTRY.subscriptionGrant),
  ];
}

/** The legs of a rejected or cancelled subscription: the full hold returns to the user. */
export const refundLegs = (ieo: IeoMoney): Leg[] => [unfreezeLeg(holdOwner(ieo), ieo.pay, ENTRY.subscriptionRefund)];
