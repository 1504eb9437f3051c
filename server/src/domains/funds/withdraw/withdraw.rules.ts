import { ENTRY, PLATFORM } from '@hengtai/contract/values/money';
import type { CommandData } from '@hengtai/contract/gateway/commands.schema';
import { reasonFields } from '@hengtai/contract/wire/reason-code';
import { refusals } from '@hengtai/contract/wire/refusals';
import { stableJson } from '@hengtai/contract/wire/stable-json';
import type { PayoutText } from '@hengtai/contract/risk/signing/text';
import { type WithdrawAction, withdrawActionStates } from '@hengtai/contract/funds/withdraw/calls';
import { WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import { Decimal } from '@hengtai/contract/values/decimal';
import type { WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import type { Network } from '@hengtai/contract/trading/market/schema';
import { type ListedNetworks, toPayee } from '../../../destination/keys.ts';
import { pick } from '../../../app/pick.ts';
import type { NewCommand } from '../../../gateway/command.store.ts';
import type { AccountName } from '../../../books/ledger/account.ts';
import { type HoldOwner, activeOf, frozenOf, ownerOf, unfreezeLeg } from '../../../books/ledger/hold.ts';
import { type Leg, leg } from '../../../books/ledger/post.ts';

/** The row of the response plus fields that only the server uses. */
export interface WithdrawRecord extends WithdrawRow {
  agentId: number;
  /** End of the payout hold after a password reset by an operator, unix milliseconds. */
  payoutHeldUntil?: number | null;
}

/** A withdrawal that an operator decides about. */
export interface DecidedWithdraw extends WithdrawRecord {
  platformId: number;
  /** Of the coin. */
  listedNetworks: Network[];
  /** In USDT at the last price. */
  valueNow: string | null;
  /** Time of that price; null without one, and for USDT. */
  pricedAt: number | null;
}

export interface WithdrawMove {
  from: readonly number[];
  to: number;
  now: number;
  reason?: string | undefined;
  by?: string | undefined;
  secondBy?: string | undefined;
  txHash?: string | undefined;
  /** Whether this move orders a payout and so counts a new attempt. */
  attempt?: boolean;
  /** Whether the outcome becomes unknown because the wallet said nothing for too long. */
  isSilent?: boolean;
  /** The key of the gateway by which it came, 0 for a key of the environment. */
  keyId?: number | undefined;
  /** Business time if it differs from `now`, unix milliseconds. */
  at?: number | undefined;
}

/** The states in which an action is possible. An approved pass needs the state that waits for the checker. */
export const openStates = (name: WithdrawAction, approved: boolean): readonly number[] =>
  name === 'pass' && approved ? [WITHDRAW.second] : withdrawActionStates[name];

/** Whether payouts of the user are held after a password reset; both times are unix milliseconds. */
export const isHeld = (until: number | null | undefined, now: number): until is number =>
  typeof until === 'number' && until > now;

/** Why a payout is held, with the remaining hours. */
export const heldText = (until: number, now: number): string =>
  `${refusals.payoutHeld.msg}，还有 ${Math.ceil((until - now) / 3_600_000)} 小时`;

/** The fields of a withdrawal that its ledger legs need; amounts are decimal strings. */
export interface WithdrawMoney {
  id: number;
  userId: number;
  agentId: number;
  marketId: number;
  amount: string;
  fee: string;
  received: string;
}

export const holdOwner = (withdraw: WithdrawMoney): HoldOwner => ownerOf(withdraw, withdraw.marketId, PLATFORM.fund);

/**
 * Legs of a payment: the received amount leaves through custody, the fee goes to the fee account. Exact, because
 * received = amount - fee without rounding.
 */
export const paidLegs = (withdraw: WithdrawMoney): Leg[] => payLegs(withdraw, frozenOf(holdOwner(withdraw)));

/** Legs of a payment before the import: nothing is frozen, so the active balance is debited. */
export const importedLegs = (withdraw: WithdrawMoney): Leg[] => payLegs(withdraw, activeOf(holdOwner(withdraw)));

function payLegs(withdraw: WithdrawMoney, source: AccountName): Leg[] {
  const house = { stripe: withdraw.userId, marketId: withdraw.marketId };
  const paid = leg(source, { house: 'custody', ...house }, withdraw.received, ENTRY.withdraw);
  if (new Decimal(withdraw.fee).isZero()) return [paid];
  return [paid, leg(source, { house: 'fee', ...house }, withdraw.fee, ENTRY.fee)];
}

/** Legs of a rejection or cancellation: the whole amount returns to the active balance. */
export const rejectedLegs = (withdraw: WithdrawMoney): Leg[] => [unfreezeLeg(holdOwner(withdraw), withdraw.amount)];

/** Legs of a refund after a failed payout. */
export const refundedLegs = (withdraw: WithdrawMoney): Leg[] => [
  unfreezeLeg(holdOwner(withdraw), withdraw.amount, ENTRY.withdrawReturned),
];

/** The fields of a withdrawal that the text of its payout repeats. */
export interface PayoutFields {
  no: string;
  attempt: number;
  account: string;
  marketName: string;
  network: string;
  address: string;
  memo: string;
  amount: string;
  fee: string;
  received: string;
  platformId: number;
  listedNetworks: ListedNetworks;
}

/** The text of the next payout, which maker and checkers sign. `no` and `attempt` identify it. */
export function payoutTextOf(target: PayoutFields, maker: string, action: 'pass' | 'retry'): string {
  const { no, attempt, account, marketName, memo, amount, fee, received, platformId, listedNetworks } = target;
  const text: PayoutText = {
    kind: 'payout',
    command: 'withdraw.payout',
    platform: platformId,
    no,
    attempt: attempt + 1,
    account,
    market: marketName,
    ...toPayee(listedNetworks, target),
    memo,
    amount,
    fee,
    received,
    state: action === 'pass' ? WITHDRAW.review : WITHDRAW.failed,
    maker,
  };
  return stableJson(text);
}

/** What the wallet verifies of an order. */
export type SignedOrder = Pick<CommandData['withdraw.payout'], 'payout' | 'signatures' | 'mandate'>;

/**
 * Orders the next payout, of the received amount. `no` and `attempt` together are the wallet's idempotency key.
 *
 * @param signed what the wallet verifies; null unless signed mode is on
 */
export function payoutCommand(
  target: PayoutFields & { id: number },
  signed: SignedOrder | null,
  now: number,
): NewCommand {
  const data = {
    no: target.no,
    attempt: target.attempt + 1,
    account: target.account,
    market: target.marketName,
    ...toPayee(target.listedNetworks, target),
    memo: target.memo,
    amount: target.received,
    ...signed,
  };
  return { type: 'withdraw.payout', refType: 'withdraw', refId: target.id, data, now };
}

/** Reports a decision to the platform. */
export function reviewedCommand(
  { id, no, state, reason }: { id: number; no: string; state: number; reason: string },
  now: number,
): NewCommand {
  const data = { no, state, ...reasonFields(reason) };
  return { type: 'withdraw.reviewed', refType: 'withdraw', refId: id, data, now };
}

/** The fields that a decision can change, for the audit row. */
export const auditedFields = pick('state', 'reason', 'by', 'secondBy', 'txHash', 'attempt');
