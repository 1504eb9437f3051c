import { type Static, Type } from '@sinclair/typebox';
import { type SystemAccount, SYSTEM_ACCOUNTS } from '../../values/money.ts';
import {
  AnswerAmount,
  Id,
  Int,
  Ms,
  Nullable,
  OpaqueText,
  PositiveAmount,
  RequiredReason,
  Strict,
  coinSum,
  pageWithSums,
  priceAge,
} from '../../wire/schema.ts';

const House = (title?: string) =>
  Type.Unsafe<SystemAccount>(
    Type.Union(
      SYSTEM_ACCOUNTS.map((account) => Type.Literal(account)),
      title === undefined ? {} : { title },
    ),
  );

const ListInput = Strict({
  at: Type.Optional({ ...Ms, description: 'the balances after what was posted until then; now without it' }),
  marketId: Type.Optional(Id),
});
export type HouseListInput = Static<typeof ListInput>;

const Balance = Type.Object({
  marketId: Id,
  marketName: Type.String(),
  house: House(),
  balance: { ...AnswerAmount, description: 'may be negative; custody is, by what wallets must hold' },
  valuation: Nullable(Type.String({ description: 'in USDT at the current price; null if the coin has none' })),
});
export type HouseBalance = Static<typeof Balance>;

const List = Type.Object({
  bound: { ...AnswerAmount, description: 'insurance of a coin below which an alarm is raised, in USDT; 0 is no alarm' },
  balances: Type.Array(Balance, {
    description: 'accounts with entries; the balances of a coin and its users sum to zero',
  }),
});
export type HouseList = Static<typeof List>;

const Entry = Type.Object({
  id: Id,
  house: House(),
  marketId: Id,
  marketName: Type.String(),
  type: Int,
  amount: AnswerAmount,
  userId: Nullable(Id),
  account: Nullable(Type.String({ description: 'account of the user on the other side; null if that is the house' })),
  refType: Type.String(),
  refId: Int,
  remark: Type.String(),
  txHash: Nullable(Type.String({ description: 'of a transfer of the house or of what a chain took' })),
  operator: Nullable(Type.String()),
  happenedAt: { ...Ms, description: 'business time, unix milliseconds' },
  createdAt: { ...Ms, description: 'time of posting, unix milliseconds' },
});
export type HouseEntry = Static<typeof Entry>;

const Sum = coinSum({
  amount: AnswerAmount,
  in: { ...AnswerAmount, description: 'sum of the amounts above zero' },
  out: { ...AnswerAmount, description: 'sum of the amounts below zero, without its sign' },
});
export type HouseEntrySum = Static<typeof Sum>;

const places = { marketId: Id, from: House('转出账户'), to: House('转入账户') };

const Transfer = Strict({
  ...places,
  amount: PositiveAmount,
  reason: RequiredReason,
  txHash: Type.Optional({ ...OpaqueText, description: 'required with custody: what was paid in or out' }),
});
export type HouseTransfer = Static<typeof Transfer>;

const Transferred = Type.Object({
  id: Id,
  marketId: Id,
  marketName: Type.String(),
  from: House(),
  to: House(),
  amount: AnswerAmount,
  txHash: Nullable(Type.String()),
});
export type HouseTransferred = Static<typeof Transferred>;

const PreviewInput = Strict({ ...places, amount: Type.Optional(PositiveAmount) });
export type HousePreviewInput = Static<typeof PreviewInput>;

const Change = Type.Object({ before: AnswerAmount, after: AnswerAmount });

const Preview = Type.Object({
  from: Change,
  to: Change,
  valuation: Nullable(Type.String({ description: 'the amount in USDT; null if the coin has no price' })),
  ...priceAge,
  needsApproval: Type.Boolean({ description: 'whether the call will need a second person' }),
  refusal: Nullable(Type.String({ description: 'why the call would be refused now' })),
});
export type HousePreview = Static<typeof Preview>;

export const houseSchemas = {
  list: { input: ListInput, output: List },
  entries: { output: pageWithSums(Entry, Sum) },
  preview: { input: PreviewInput, output: Preview },
  transfer: { input: Transfer, output: Transferred },
};
