import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { COMMANDS_MAX, EVENTS_MAX, type EventType, POLL_MAX_SECONDS } from './gateway.ts';
import { ANNOUNCE_IMAGE_KEY } from './announce-markup.ts';
import { announceLangs, announcePlatforms, BINARY_CONTRACT_LENGTH_MAX } from './input-values.ts';
import { KYC_IMAGE_MAX } from './kyc.ts';
import { SUPPORT_RECEIVED_MAX } from './support.ts';
import { AMOUNT_PATTERN } from './money.ts';
import { Account, Amount, Ms, Name, OpaqueText, PositiveAmount, SignedAmount, Strict, Switch, Text } from './schema.ts';

const No = Type.String({ minLength: 1, maxLength: 64, pattern: '^[^\\u0000-\\u001f\\u007f]+$' });
const Market = Type.String({ minLength: 1, maxLength: 32 });
const Network = Type.String({ minLength: 1, maxLength: 32 });
const PlatformType = Type.Integer({ minimum: 1, maximum: 4 });
const Confirmations = Type.Integer({ minimum: 0, maximum: 2_147_483_647 });

/** Characters of a picture of up to 256 KiB in base64. */
const PICTURE_MAX = 360_000;
/** Address of the voucher's picture, or the picture itself as a data: URL. */
const Voucher = Type.String({
  maxLength: PICTURE_MAX,
  pattern:
    '^(?![Dd][Aa][Tt][Aa]:)[^\\u0000-\\u001f]{0,2048}$|^data:image/(png|jpeg|webp|svg\\+xml);base64,[A-Za-z0-9+/]+={0,2}$',
});

/** Characters in base64 of at most `KYC_IMAGE_MAX` bytes. */
const PHOTO_MAX = Math.ceil(KYC_IMAGE_MAX / 3) * 4;
const Photo = Type.String({
  minLength: 1,
  maxLength: PHOTO_MAX + 32,
  pattern:
    '^(?:https?://|(?![A-Za-z][A-Za-z0-9+.-]*:))[^\\u0000-\\u001f\\u007f]{1,2040}$|^data:image/(png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$',
});

/** `source` 1: detected on chain; 2: a voucher uploaded by the user. */
const rechargeFields = {
  account: Account,
  market: Market,
  network: Network,
  address: OpaqueText,
  txHash: Type.Optional(OpaqueText),
  amount: PositiveAmount,
  confirmations: Confirmations,
  source: Type.Union([Type.Literal(1), Type.Literal(2)]),
  voucher: Type.Optional(Voucher),
};

/**
 * A customer's document. Photos are addresses at the platform or data: URLs. The server checks the bytes of a data: URL
 * before it stores them, because the declared type proves nothing.
 */
const kycFields = {
  account: Account,
  name: Name(100),
  country: Name(64),
  idType: Type.Union([1, 2, 3].map((type) => Type.Literal(type))),
  idNumber: Name(64),
  level: Type.Union([1, 2].map((level) => Type.Literal(level))),
};

/** A subscription: `amount` tokens of the market at `price` USDT each. */
const ieoFields = { account: Account, market: Market, price: PositiveAmount, amount: PositiveAmount };

export const eventData = {
  'agent.registered': Strict({
    account: Account,
    parent: Type.Optional(Account),
    remark: Type.Optional(Text(200)),
  }),
  'user.registered': Strict({
    account: Account,
    agent: Type.Optional(Account),
    remark: Type.Optional(Text(200)),
  }),
  'user.login': Strict({
    account: Account,
    ip: Type.String({ minLength: 1, maxLength: 64 }),
    device: Type.Optional(Type.String({ minLength: 1, maxLength: 64, pattern: '^[^\\u0000-\\u001f\\u007f]+$' })),
  }),
  'user.credential': Strict({
    account: Account,
    kind: Type.Union([Type.Literal('password'), Type.Literal('otp'), Type.Literal('phone'), Type.Literal('mail')]),
  }),
  'recharge.detected': Strict({ no: No, ...rechargeFields }),
  'recharge.credited': Strict({
    no: No,
    account: Type.Optional(Account),
    market: Type.Optional(Market),
    network: Type.Optional(Network),
    address: Type.Optional(OpaqueText),
    txHash: Type.Optional(OpaqueText),
    amount: Type.Optional(PositiveAmount),
    confirmations: Type.Optional(Confirmations),
    source: Type.Optional(Type.Union([Type.Literal(1), Type.Literal(2)])),
    voucher: Type.Optional(Voucher),
  }),
  'recharge.failed': Strict({ no: No, remark: Type.Optional(Text(200)) }),
  'recharge.reversed': Strict({ no: No, remark: Type.Optional(Text(200)) }),
  'withdraw.imported': Strict({
    no: No,
    account: Account,
    market: Market,
    network: Network,
    address: OpaqueText,
    memo: Type.Optional(Type.String({ maxLength: 256 })),
    amount: PositiveAmount,
    fee: Amount,
    txHash: Type.Optional(OpaqueText),
    state: Type.Union([4, 5, 6, 9].map((state) => Type.Literal(state))),
    reason: Type.Optional(Text(200)),
    by: Type.Optional(Account),
    reviewedAt: Type.Optional(Ms),
    secondBy: Type.Optional(Account),
    booked: Type.Optional(Type.Boolean()),
  }),
  'withdraw.requested': Strict({
    no: No,
    account: Account,
    market: Market,
    network: Network,
    address: OpaqueText,
    memo: Type.Optional(Type.String({ maxLength: 256 })),
    amount: PositiveAmount,
    fee: Amount,
  }),
  'withdraw.cancelled': Strict({ no: No }),
  'withdraw.paying': Strict({ no: No, txHash: Type.Optional(OpaqueText) }),
  'withdraw.paid': Strict({ no: No, txHash: OpaqueText }),
  'withdraw.failed': Strict({ no: No, reason: Type.Optional(Text(200)) }),
  'withdraw.unknown': Strict({ no: No, reason: Type.Optional(Text(200)) }),
  'auth.submitted': Strict({ ...kycFields, front: Photo, back: Photo, holding: Type.Optional(Photo) }),
  'auth.imported': Strict({
    ...kycFields,
    front: Type.Optional(Photo),
    back: Type.Optional(Photo),
    holding: Type.Optional(Photo),
    state: Type.Union([1, 2].map((state) => Type.Literal(state))),
    reason: Type.Optional(Text(200)),
    by: Type.Optional(Account),
    reviewedAt: Type.Optional(Ms),
  }),
  'ieo.ordered': Strict({ no: No, ...ieoFields }),
  'ieo.cancelled': Strict({ no: No }),
  'ieo.imported': Strict({
    no: No,
    ...ieoFields,
    state: Type.Union([1, 2, 3].map((state) => Type.Literal(state))),
    reason: Type.Optional(Text(200)),
    by: Type.Optional(Account),
    reviewedAt: Type.Optional(Ms),
    secondBy: Type.Optional(Account),
    booked: Type.Optional(Type.Boolean()),
  }),
  'transfer.made': Strict({
    no: No,
    account: Account,
    toAccount: Account,
    market: Market,
    platform: PlatformType,
    toPlatform: PlatformType,
    amount: PositiveAmount,
  }),
  'balance.imported': Strict({
    account: Account,
    market: Market,
    platform: PlatformType,
    active: PositiveAmount,
  }),
  /** A market buy order has `funds`, the USDT to spend; every other order has `amount`. */
  'order.placed': Strict({
    no: No,
    account: Account,
    market: Market,
    side: Type.Union([1, 2].map((side) => Type.Literal(side))),
    type: Type.Union([1, 2].map((type) => Type.Literal(type))),
    price: Type.Optional(PositiveAmount),
    amount: Type.Optional(PositiveAmount),
    funds: Type.Optional(PositiveAmount),
  }),
  'order.filled': Strict({ no: No, tradeNo: No, price: PositiveAmount, amount: PositiveAmount, fee: Amount }),
  'order.cancelled': Strict({ no: No }),
  /** `seconds` is one of the market's configured lengths. The back office sets the payout rate. */
  'second.opened': Strict({
    no: No,
    account: Account,
    market: Market,
    side: Type.Union([1, 2].map((side) => Type.Literal(side))),
    seconds: Type.Integer({ minimum: 1, maximum: BINARY_CONTRACT_LENGTH_MAX }),
    amount: PositiveAmount,
  }),
  /** `signal` is the signal's number from the back office. `auto`: the platform followed automatically. */
  'follow.opened': Strict({
    no: No,
    account: Account,
    signal: No,
    amount: PositiveAmount,
    auto: Type.Optional(Type.Boolean()),
  }),
  'follow.closed': Strict({ no: No, profit: Type.String({ pattern: `^-?${AMOUNT_PATTERN.slice(1)}` }) }),
  /** A limit order has `price`. The engine computes `margin`, in USDT. */
  'position.placed': Strict({
    no: No,
    account: Account,
    market: Market,
    demo: Switch,
    side: Type.Union([1, 2].map((side) => Type.Literal(side))),
    type: Type.Union([1, 2].map((type) => Type.Literal(type))),
    leverage: Type.Integer({ minimum: 1, maximum: 1_000 }),
    price: Type.Optional(PositiveAmount),
    amount: PositiveAmount,
    margin: PositiveAmount,
  }),
  'position.opened': Strict({ no: No, price: PositiveAmount, fee: Amount }),
  /** Sets the given fields. 0 removes a take-profit or stop-loss. `margin` is the new total. */
  'position.changed': Strict({
    no: No,
    takeProfit: Type.Optional(Amount),
    stopLoss: Type.Optional(Amount),
    margin: Type.Optional(PositiveAmount),
  }),
  /** `closeType` 1: user; 2: take-profit; 3: stop-loss; 5: command of an operator. */
  'position.closed': Strict({
    no: No,
    closeNo: No,
    amount: PositiveAmount,
    price: PositiveAmount,
    fee: Amount,
    closeType: Type.Union([1, 2, 3, 5].map((type) => Type.Literal(type))),
  }),
  'position.liquidated': Strict({ no: No, closeNo: No, price: PositiveAmount, fee: Amount }),
  'position.cancelled': Strict({ no: No }),
  /** A positive `amount` is paid to the user, a negative one by the user. */
  'funding.paid': Strict({ no: No, position: No, amount: SignedAmount }),
  /** Plain text, which may be empty if there is a picture. */
  'message.received': Strict({
    no: No,
    account: Account,
    text: Text(SUPPORT_RECEIVED_MAX),
    image: Type.Optional(Photo),
  }),
  tick: Strict({ market: Market, price: PositiveAmount, volume: Type.Optional(Amount), at: Ms }),
} satisfies Record<EventType, TSchema>;

export type EventData = { [T in EventType]: Static<(typeof eventData)[T]> };

/** The envelope of an event. Type and data are validated per event, so that a bad one rejects only itself. */
export const Event = Strict({
  eventId: Type.String({ minLength: 1, maxLength: 128, pattern: '^[^\\u0000-\\u001f\\u007f]+$' }),
  type: Type.String({ minLength: 1, maxLength: 64 }),
  at: Ms,
  data: Type.Record(Type.String(), Type.Unknown()),
});
export const Events = Type.Array(Event, { minItems: 1, maxItems: EVENTS_MAX });
export type PlatformEvent = {
  [T in EventType]: { eventId: string; type: T; at: number; data: EventData[T] };
}[EventType];

export const EventAnswer = Type.Object({
  eventId: Type.String(),
  result: Type.Union([Type.Literal('applied'), Type.Literal('duplicate'), Type.Literal('rejected')]),
  reason: Type.Optional(Type.String()),
  detail: Type.Optional(Type.String({ description: 'place in the list of events and what is expected there' })),
});
export type EventAnswer = Static<typeof EventAnswer>;

export const CommandsQuery = Strict({
  after: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: COMMANDS_MAX })),
  wait: Type.Optional(Type.Integer({ minimum: 0, maximum: POLL_MAX_SECONDS })),
});

export const Acks = Type.Array(
  Strict({
    id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    state: Type.Union([Type.Literal('done'), Type.Literal('failed'), Type.Literal('unknown')]),
    reason: Type.Optional(Text(200)),
  }),
  { minItems: 1, maxItems: EVENTS_MAX },
);
export type Ack = Static<typeof Acks>[number];

export const AnnouncementsQuery = Strict({
  lang: Type.Optional(Type.Union(Object.keys(announceLangs).map((lang) => Type.Literal(lang)))),
  platform: Type.Optional(Type.Union(Object.keys(announcePlatforms).map((one) => Type.Literal(Number(one))))),
});

export const AnnouncementImageQuery = Strict({ key: Type.String({ pattern: `^${ANNOUNCE_IMAGE_KEY}$` }) });

/** The token of a support link, as the platform's site received it. */
export const Redeem = Strict({
  token: Type.String({ minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9_-]+$' }),
});
export interface Redeemed {
  account: string;
  readOnly: true;
  operator: string;
  /** Creation of the link, unix milliseconds. */
  at: number;
}
