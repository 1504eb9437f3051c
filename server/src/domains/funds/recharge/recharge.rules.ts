import { ENTRY, PLATFORM } from '@hengtai/contract/values/money';
import { RECHARGE_SOURCE, TX_HASH_MIN } from '@hengtai/contract/funds/recharge/calls';
import { USER_FROZEN } from '@hengtai/contract/funds/withdraw/facts';
import type { AccountName } from '../../../books/ledger/account.ts';
import { activeOf, ownerOf } from '../../../books/ledger/hold.ts';
import { type Leg, leg } from '../../../books/ledger/post.ts';

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

/** The causes for holding an arriving recharge, each with the remark that operators read. */
export const holdCauses = {
  frozen: USER_FROZEN,
  closed: '充值已关闭',
  networkClosed: '网络未开放',
  repeated: '同一笔转账已到账',
} as const;
export type HoldCause = keyof typeof holdCauses;

/** The reason that the platform receives: `closed` for a closed coin and for a closed network. */
export const reasonOfHold = (cause: HoldCause): string => (cause === 'networkClosed' ? 'closed' : cause);

/** The fields of a recharge that identify its payment on the chain. The beneficiary is null until the recharge is keyed. */
export interface ChainPayment {
  source: number;
  txHash: string;
  index: number | null;
  beneficiary: string | null;
}

/** One output of a transaction to an account and memo. */
export interface Output {
  txHash: string;
  index: number;
  beneficiary: string;
}

/** The output that a recharge reports; undefined for a voucher, or if it is not known which one. */
export function outputOf({ source, txHash, index, beneficiary }: ChainPayment): Output | undefined {
  const isKnown =
    source === RECHARGE_SOURCE.chain && txHash.length >= TX_HASH_MIN && index !== null && beneficiary !== null;
  return isKnown ? { txHash, index, beneficiary } : undefined;
}
