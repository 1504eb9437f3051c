import { type Static, type TSchema, Type } from '@sinclair/typebox';
import type { EventType } from './gateway.ts';
import * as f from './fields.schema.ts';
import { tradingEvents } from './trading.schema.ts';
import { walletEvents } from './wallet.schema.ts';
import { Amount, FilledText, Ms, Name, SignedAmount, Strict, Text } from '../wire/schema.ts';
import { SUPPORT_RECEIVED_MAX } from '../desk/support/calls.ts';

const Source = Type.Union([Type.Literal(1), Type.Literal(2)], {
  description: '1 detected on chain, 2 a voucher uploaded by the user',
});
const Remark = Type.Optional(Text(200));

const rechargeFields = {
  account: f.User,
  market: f.Market,
  network: f.Network,
  address: f.Address,
  txHash: Type.Optional(f.TxHash),
  amount: f.CoinAmount,
  confirmations: f.Confirmations,
  source: Source,
  voucher: Type.Optional(f.Voucher),
  memo: Type.Optional(f.Memo),
  index: Type.Optional(f.TxIndex),
};

const withdrawFields = {
  no: f.No,
  account: f.User,
  market: f.Market,
  network: f.Network,
  address: f.Address,
  memo: Type.Optional(f.Memo),
  amount: f.described(f.CoinAmount, `${f.CoinAmount.description}, fee included`),
  fee: f.CoinFee,
};

/** Which payout the wallet speaks of. Without `attempt` the newest that was handed over is meant. */
const payoutFields = { no: f.No, attempt: Type.Optional(f.Attempt) };

/** A customer's document. */
const kycFields = {
  account: f.User,
  name: Name(100),
  country: Name(64),
  idType: f.choice({ 1: 'identity card', 2: 'passport', 3: 'driving licence' }),
  idNumber: Name(64),
  level: f.choice({ 1: 'basic', 2: 'advanced' }),
};

/** A subscription: `amount` tokens of the market at `price` USDT each. */
const ieoFields = { account: f.User, market: f.Market, price: f.UsdtAmount, amount: f.CoinAmount };

/** Who decided a record of the time before the platform moved in, and whether its money is part of the history. */
const decidedFields = {
  reason: Type.Optional(Text(200)),
  by: Type.Optional(f.Operator),
  reviewedAt: Type.Optional(Ms),
};
const importedFields = {
  ...decidedFields,
  secondBy: Type.Optional(f.Operator),
  booked: Type.Optional(Type.Boolean({ description: 'whether the record takes its cost from the balance' })),
};

/** The data of each type of event. */
export const eventData = {
  'agent.registered': Strict({
    account: f.described(f.User, 'account of the new agent'),
    parent: Type.Optional(f.described(f.User, 'account of the agent above; the admin if absent')),
    remark: Remark,
  }),
  'user.registered': Strict({
    account: f.described(f.User, 'account of the new user'),
    agent: Type.Optional(f.described(f.User, 'account of the agent; the admin if absent')),
    remark: Remark,
  }),
  'user.login': Strict({
    account: f.User,
    ip: Type.String({ minLength: 1, maxLength: 64, description: 'IPv4 or IPv6 address' }),
    device: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        pattern: '^[^\\u0000-\\u001f\\u007f]+$',
        description: 'name of the device, text of 1 to 64 characters',
      }),
    ),
  }),
  'user.credential': Strict({
    account: f.User,
    kind: Type.Union([Type.Literal('password'), Type.Literal('otp'), Type.Literal('phone'), Type.Literal('mail')]),
  }),
  'recharge.detected': Strict({ no: f.No, ...rechargeFields }),
  'recharge.credited': Strict({ no: f.No, ...Type.Partial(Type.Object(rechargeFields)).properties }),
  'recharge.failed': Strict({ no: f.No, remark: Remark }),
  'recharge.reversed': Strict({ no: f.No, remark: Remark }),
  'withdraw.imported': Strict({
    ...withdrawFields,
    txHash: Type.Optional(f.TxHash),
    state: f.choice({ 4: 'paid', 5: 'rejected', 6: 'cancelled', 9: 'refunded' }),
    ...importedFields,
  }),
  'withdraw.requested': Strict(withdrawFields),
  'withdraw.cancelled': Strict({ no: f.No }),
  'withdraw.paying': Strict({ ...payoutFields, txHash: Type.Optional(f.TxHash) }),
  'withdraw.paid': Strict({
    ...payoutFields,
    txHash: f.TxHash,
    index: Type.Optional(f.TxIndex),
    chainFee: Type.Optional(f.described(Amount, `${Amount.description}, what the chain took, in feeMarket`)),
    feeMarket: Type.Optional(
      f.described(f.Market, 'coin of chainFee, text of 1 to 32 characters; that of the withdrawal if absent'),
    ),
  }),
  'withdraw.failed': Strict({ ...payoutFields, reason: Type.Optional(Text(200)) }),
  'withdraw.unknown': Strict({ ...payoutFields, reason: Type.Optional(Text(200)) }),
  ...walletEvents,
  /** What a provider says about an address or a name. A further answer to the same request does not replace the first. */
  'screen.answered': Strict({
    no: f.described(f.No, 'number of the request, from the command screen.requested'),
    provider: f.described(Name(64), 'name of the provider, text of 1 to 64 characters'),
    result: Type.Union([Type.Literal('clear'), Type.Literal('hit'), Type.Literal('unknown')], {
      description: 'clear: nothing found; hit: must not pass; unknown: the provider cannot tell',
    }),
    score: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description: 'risk, 0 to 100' })),
    categories: Type.Optional(
      Type.Array(Name(64), { maxItems: 20, description: 'what was found, at most 20 texts of 1 to 64 characters' }),
    ),
    reference: Type.Optional(f.described(Name(128), "the provider's number, text of 1 to 128 characters")),
  }),
  'auth.submitted': Strict({ ...kycFields, front: f.Photo, back: f.Photo, holding: Type.Optional(f.Photo) }),
  'auth.imported': Strict({
    ...kycFields,
    front: Type.Optional(f.Photo),
    back: Type.Optional(f.Photo),
    holding: Type.Optional(f.Photo),
    state: f.choice({ 1: 'passed', 2: 'rejected' }),
    ...decidedFields,
  }),
  'ieo.ordered': Strict({ no: f.No, ...ieoFields }),
  'ieo.cancelled': Strict({ no: f.No }),
  'ieo.imported': Strict({
    no: f.No,
    ...ieoFields,
    state: f.choice({ 1: 'passed', 2: 'rejected', 3: 'cancelled' }),
    ...importedFields,
  }),
  'transfer.made': Strict({
    no: f.No,
    account: f.User,
    toAccount: f.User,
    market: f.Market,
    platform: f.AccountType,
    toPlatform: f.AccountType,
    amount: f.CoinAmount,
  }),
  'balance.imported': Strict({
    account: f.User,
    market: f.Market,
    platform: f.AccountType,
    active: f.CoinAmount,
  }),
  /** A split, airdrop, redenomination or delisting: one event for each account, all with the number of the batch. */
  'balance.adjusted': Strict({
    no: f.No,
    batch: f.described(f.No, 'number of the whole action, text of 1 to 64 characters'),
    kind: f.choice({ 1: 'split', 2: 'airdrop', 3: 'redenomination', 4: 'delisting' }),
    account: f.User,
    market: f.Market,
    platform: f.AccountType,
    amount: f.described(SignedAmount, 'decimal string in the coin: positive is added, negative is taken'),
    reason: f.described(FilledText(200), 'text of 1 to 200 characters, shown to operators'),
    balance: Type.Optional(f.described(Amount, 'decimal string, expected active balance afterwards')),
  }),
  ...tradingEvents,
  /** Plain text, which may be empty if there is a picture. */
  'message.received': Strict({
    no: f.No,
    account: f.User,
    text: Text(SUPPORT_RECEIVED_MAX),
    image: Type.Optional(f.Photo),
  }),
  tick: Strict({
    market: f.Market,
    price: f.UsdtAmount,
    volume: Type.Optional(f.described(Amount, 'decimal string, traded amount of the coin')),
    at: f.described(Ms, 'time of the price, in unix milliseconds'),
  }),
} satisfies Record<EventType, TSchema>;

export type EventData = { [T in EventType]: Static<(typeof eventData)[T]> };

export type PlatformEvent = {
  [T in EventType]: { eventId: string; type: T; at: number; data: EventData[T] };
}[EventType];
