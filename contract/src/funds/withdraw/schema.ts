import { type Static, Type } from '@sinclair/typebox';
import {
  BulkResult,
  Customer,
  Id,
  Ids,
  Int,
  Ms,
  Nullable,
  OpaqueText,
  QueueTarget,
  RequiredReason,
  AnswerAmount,
  Strict,
  coinSum,
  customerTimeline,
  pageWithSums,
  ActionInput,
  BulkInput,
  IdInput,
  ReasonInput,
  marketRecord,
  recordApproval,
  priceAge,
} from '../../wire/schema.ts';
import { AutoDecision } from '../../risk/auto-payout/schema.ts';
import { RuleResult } from '../../risk/rule/schema.ts';
import { AppliedLimits } from '../../risk/withdraw-limit/schema.ts';
import { Listed, Screening } from '../../risk/screening/schema.ts';

const rowFields = {
  ...marketRecord,
  network: Type.String(),
  address: Type.String(),
  memo: Type.String(),
  amount: AnswerAmount,
  fee: AnswerAmount,
  received: AnswerAmount,
  valuation: Nullable(AnswerAmount),
  txHash: Type.String(),
  attempt: Type.Integer({ description: 'number of payouts ordered' }),
  state: Int,
  reason: Type.String(),
  by: Nullable(Type.String()),
  reviewedAt: Nullable(Ms),
  secondBy: Nullable(Type.String()),
  risk: Type.Array(Type.String()),
  points: Type.Integer({ description: 'points of the rules that hit' }),
  held: Type.Boolean({ description: 'a rule holds it: it is not passed in bulk' }),
  userFrozen: Type.Boolean({ description: 'the user is frozen now: it is not passed in bulk' }),
  unexplained: Type.Boolean({ description: 'the wallet reported a payment that was not expected; its alarm is open' }),
  rules: Type.Array(Type.String(), { description: 'names of the rules in effect that hit' }),
  explorer: Type.String({ description: "URL template of the network's block explorer" }),
  createdAt: Ms,
  updatedAt: Ms,
};
const Row = Type.Object(rowFields);
export type WithdrawRow = Static<typeof Row>;
export { Row as withdrawRowSchema };

const Sum = coinSum({ amount: AnswerAmount, fee: AnswerAmount, received: AnswerAmount });
export type WithdrawSum = Static<typeof Sum>;

const outcome = {
  paid: Type.Boolean({ description: 'whether the wallet paid' }),
  txHash: Type.Optional(OpaqueText),
  reason: RequiredReason,
};
const Resolve = Strict({ id: Id, ...outcome });
export type WithdrawResolve = Static<typeof Resolve>;
/** One transaction can pay many withdrawals. */
const ResolveMany = Strict({ ids: Ids, ...outcome });
export type WithdrawResolveMany = Static<typeof ResolveMany>;

/** What the wallet said about payouts of a withdrawal: each payment, and what changed nothing. */
const PayoutStatement = Type.Object({
  id: Id,
  attempt: Type.Integer({ description: '0: no payout was ordered' }),
  type: Type.String({ description: 'paying, paid, failed or unknown' }),
  txHash: Type.String({ description: 'empty without a transaction' }),
  index: Nullable(Int),
  chainFee: Nullable(AnswerAmount),
  feeMarket: Nullable(Type.String()),
  reason: Type.String(),
  effect: Type.String({ description: 'applied, none, or unexpected: it raised an alarm' }),
  createdAt: Ms,
});
export type PayoutStatement = Static<typeof PayoutStatement>;

/** A ledger entry that a decision would post, with the balances before and after it. */
export const LedgerLine = Type.Object({
  owner: Type.String({ description: "the user's account, or the house account's Chinese name" }),
  platform: Type.Integer(),
  bucket: Type.String(),
  marketName: Type.String(),
  type: Type.Integer(),
  amount: AnswerAmount,
  before: Nullable(AnswerAmount),
  balance: Nullable(AnswerAmount),
});
export type LedgerLine = Static<typeof LedgerLine>;

/** Payouts of the user wait, because an operator reset its password while four-eyes are locked. */
const PayoutHold = Type.Object({
  until: Ms,
  at: Nullable(Ms),
  by: Nullable(Type.String({ description: 'who reset it; null when that operator is outside the own tree' })),
});
export type PayoutHold = Static<typeof PayoutHold>;

/** What the timeline of a decision about money shows of the user, latest first. */
export const moneyTimeline = {
  recharges: Type.Array(
    Type.Object({
      id: Id,
      marketName: Type.String(),
      network: Type.String(),
      address: Type.String(),
      memo: Type.String(),
      txHash: Type.String(),
      amount: AnswerAmount,
      state: Type.Integer(),
      createdAt: Ms,
    }),
  ),
  withdraws: Type.Array(Row),
  credentials: Type.Array(Type.Object({ kind: Type.String(), at: Ms })),
  ...customerTimeline,
};

const Detail = Type.Object({
  row: Row,
  user: Customer,
  target: QueueTarget,
  risk: Type.Array(Type.String(), { description: 'current risk codes' }),
  deposits: Type.Array(
    Type.Object({
      marketId: Id,
      marketName: Type.String(),
      recharge: AnswerAmount,
      withdraw: AnswerAmount,
      net: AnswerAmount,
    }),
  ),
  addresses: Type.Array(
    Type.Object({
      address: Type.String({ description: 'one of the texts of the account' }),
      memo: Type.String(),
      network: Type.String(),
      marketName: Type.String(),
      times: Int,
      total: AnswerAmount,
      firstAt: Ms,
      lastAt: Ms,
      users: Type.Integer({ description: 'number of users who ever withdrew to the account with this memo' }),
      current: Type.Boolean({ description: 'whether this withdrawal goes there' }),
    }),
  ),
  keying: Type.Boolean({ description: 'older records are still being keyed, so addresses and users are incomplete' }),
  ...moneyTimeline,
  limit: Type.Object({
    used: Nullable(AnswerAmount),
    limit: AnswerAmount,
    withdrawMin: AnswerAmount,
    withdrawMax: AnswerAmount,
  }),
  appliedLimits: Nullable(AppliedLimits),
  payoutHold: Nullable(PayoutHold),
  statements: Type.Array(PayoutStatement, { description: 'the last 50, latest first' }),
  rules: Nullable(RuleResult),
  auto: Nullable(AutoDecision),
  screening: Screening,
  related: Type.Array(Listed, { description: 'entries that block other accounts of the same owner now' }),
  value: Type.Object({
    now: Nullable(
      Type.String({ description: 'in USDT at the last price; policies count it or valuation, the larger' }),
    ),
    ...priceAge,
  }),
  preview: Type.Object({ pass: Type.Array(LedgerLine), reject: Type.Array(LedgerLine) }),
  approval: Type.Object({
    needed: Type.Boolean({ description: 'whether passing it needs a second person' }),
    seconds: Type.Array(Type.String(), {
      description: 'actions that need a second person under the current policies',
    }),
    amount: Nullable(AnswerAmount),
    ...recordApproval,
  }),
});
export type WithdrawDetail = Static<typeof Detail>;
export type MoneyTimeline = Pick<WithdrawDetail, keyof typeof moneyTimeline>;

export const withdrawSchemas = {
  list: { output: pageWithSums(Row, Sum) },
  detail: { input: IdInput, output: Detail },
  pass: { input: ActionInput, output: Row },
  reject: { input: ActionInput, output: Row },
  retry: { input: ActionInput, output: Row },
  recall: { input: ReasonInput, output: Row },
  refund: { input: ReasonInput, output: Row },
  resolve: { input: Resolve, output: Row },
  passMany: { input: BulkInput, output: BulkResult },
  resolveMany: { input: ResolveMany, output: BulkResult },
  rejectMany: { input: BulkInput, output: BulkResult },
};
