import { type Static, type TSchema, Type } from '@sinclair/typebox';
import type { CommandType } from './gateway.ts';
import * as f from './fields.schema.ts';
import { Market } from '../trading/market/schema.ts';
import { REASON_CODES } from '../wire/reason-code.ts';
import { AnswerAmount, Int, Ms, Nullable } from '../wire/schema.ts';

const coins = f.inUnit(AnswerAmount, 'the coin of the market');
const usdt = f.inUnit(AnswerAmount, 'USDT');
const reason = {
  reason: Type.Optional(Type.String({ description: 'in the language of the operators' })),
  reasonCode: Type.Optional(f.described(Type.String(), `with reason: ${REASON_CODES.join(', ')}`)),
};
const reviewed = {
  no: f.No,
  state: f.described(Int, 'state of the record afterwards'),
  ...reason,
};
const recordNumber = { no: f.No };
const OnOff = f.choice({ 0: 'off', 1: 'on' });

/** A tick that decided an outcome, as the platform reported it. */
const DecisiveTick = Type.Object({ price: usdt, at: Ms });

/** What a user may do on the platform: 1 on, 0 off. */
export const UserSwitches = Type.Object({
  account: f.User,
  state: f.choice({ 0: 'frozen', 1: 'normal' }),
  trade: f.choice({ 0: 'may not place orders', 1: 'may place orders' }),
  ieoBuy: OnOff,
  ieoSell: OnOff,
  ai: f.choice({ 0: 'signals are not followed automatically', 1: 'signals may be followed automatically' }),
  winType: f.choice({ 0: 'payout of the configuration', 1: 'payout of winRate' }),
  winRate: Nullable(Type.String({ description: 'payout of a won second contract in percent; null without winType 1' })),
});
export type UserSwitches = Static<typeof UserSwitches>;

/** The settings of a market, with the fields of `GET markets` except its price. */
const MarketSettings = Type.Omit(Market, [
  'id',
  'icon',
  'price',
  'pricedAt',
  'unconfirmed',
  'change24h',
  'halted',
  'managed',
  'version',
  'updatedBy',
  'createdAt',
  'updatedAt',
]);

const Base64Url = Type.String({ pattern: '^[A-Za-z0-9_-]+$', description: 'base64url' });

/** A consent of one person, with the answer of the authenticator. */
export const ConsentSignature = Type.Object({
  key: f.described(Base64Url, 'id of the key in the roster'),
  consent: Type.String({ description: 'canonical JSON whose SHA-256 is the challenge' }),
  authenticatorData: Base64Url,
  clientDataJSON: Base64Url,
  signature: f.described(Base64Url, 'base64url of an ES256 signature in DER'),
});
const signatures = Type.Array(ConsentSignature);

/** A signal as the platform shows it: the fields of `signal.published` and of `GET signals`. */
export const PlatformSignal = Type.Object({
  no: f.described(f.No, 'number of the signal'),
  title: Type.String(),
  market: f.Market,
  side: f.choice({ 1: 'long', 2: 'short' }),
  leverage: Int,
  price: f.inUnit(AnswerAmount, 'USDT: entry price'),
  takeProfit: Nullable(usdt),
  stopLoss: Nullable(usdt),
  ratio: Type.String({ description: 'percent of the futures account that an automatic following uses' }),
  minAmount: f.inUnit(AnswerAmount, 'USDT: minimum stake'),
  maxAmount: f.inUnit(AnswerAmount, 'USDT: maximum stake'),
  startAt: f.described(Ms, 'unix milliseconds; follows may be opened from here on'),
  endAt: f.described(Ms, 'unix milliseconds; follows may be opened before'),
  state: f.choice({ 1: 'can be followed', 2: 'ended' }),
});
export type PlatformSignal = Static<typeof PlatformSignal>;

export const MarketType = f.choice({ 1: 'spot', 2: 'futures', 3: 'second contracts' });
const halt = { marketName: f.Market, marketType: MarketType };

/** The data of each type of command that the back office sends to the platform. */
export const commandData = {
  'withdraw.payout': Type.Object({
    no: f.No,
    attempt: f.described(Int, 'with no, the key under which the wallet pays once'),
    account: f.User,
    market: f.Market,
    network: f.Network,
    address: f.Address,
    memo: f.Memo,
    amount: f.inUnit(AnswerAmount, 'the coin of the market: what to pay'),
    payout: Type.Optional(Type.String({ description: 'in signed mode: canonical JSON that people signed' })),
    signatures: Type.Optional(f.described(signatures, 'with payout: the consents of those who signed it')),
    mandate: Type.Optional(
      Type.Object(
        { text: Type.String({ description: 'canonical JSON of the mandate' }), signatures },
        { description: 'instead of payout and signatures' },
      ),
    ),
  }),
  'withdraw.reviewed': Type.Object(reviewed),
  'wallet.move.requested': Type.Object({
    no: f.described(f.No, 'number of the transfer, for record of its two moves'),
    from: f.described(f.No, "the platform's own id of the wallet that pays"),
    to: f.described(f.No, "the platform's own id of the wallet that receives"),
    amount: f.inUnit(AnswerAmount, 'the coin of both wallets'),
  }),
  'screen.requested': Type.Object({
    no: f.described(Type.String(), 'number of the request, for the event screen.answered'),
    kind: Type.Union([Type.Literal('address'), Type.Literal('name')], { description: 'what to screen' }),
    account: f.User,
    dueAt: f.described(Ms, 'unix milliseconds until which an answer is expected'),
    withdraw: Type.Optional(f.described(f.No, 'with address: number of the withdrawal')),
    market: Type.Optional(f.Market),
    network: Type.Optional(f.Network),
    address: Type.Optional(f.Address),
    memo: Type.Optional(f.Memo),
    amount: Type.Optional(f.inUnit(AnswerAmount, 'the coin of the market: amount of the withdrawal')),
    level: Type.Optional(f.choice({ 1: 'basic', 2: 'advanced' })),
    name: Type.Optional(Type.String({ description: 'with name: the name of the document' })),
    country: Type.Optional(Type.String({ description: 'with name: the country of the document' })),
  }),
  'auth.reviewed': Type.Object({
    account: f.User,
    level: f.choice({ 1: 'basic', 2: 'advanced' }),
    state: f.choice({ 1: 'passed', 2: 'rejected' }),
    ...reason,
  }),
  'ieo.reviewed': Type.Object(reviewed),
  'recharge.reviewed': Type.Object(reviewed),
  'balance.changed': Type.Object({
    account: f.User,
    market: f.Market,
    platform: f.AccountType,
    active: f.described(coins, `${coins.description}: balance afterwards`),
    frozen: f.described(coins, `${coins.description}: balance afterwards`),
    entry: f.described(Int, 'number of the ledger entry'),
  }),
  'user.created': Type.Object({
    account: f.User,
    agent: f.described(f.User, 'account of the agent'),
    password: Type.String({ description: 'argon2id hash' }),
  }),
  'config.updated': Type.Object({
    key: Type.String(),
    kind: Type.String(),
    str: Type.String(),
    num: AnswerAmount,
    state: Int,
  }),
  'announce.published': Type.Object({
    no: Type.String({ description: 'number of the announcement' }),
    lang: Type.String(),
    title: Type.String(),
    content: Type.String({ description: 'sanitised HTML' }),
    platform: f.choice({ 0: 'everywhere', 1: 'web', 2: 'app' }),
    state: f.choice({ 0: 'hidden', 1: 'shown' }),
    deleted: f.choice({ 0: 'exists', 1: 'deleted' }),
    at: Ms,
    pinned: f.choice({ 0: 'in order', 1: 'before the others' }),
    publishAt: Nullable(f.described(Ms, 'unix milliseconds at which the draft is published')),
    group: Type.String({ description: 'the same for all languages of one announcement' }),
  }),
  'user.updated': UserSwitches,
  'user.deleted': UserSwitches,
  'user.password': Type.Object({ account: f.User, password: Type.String({ description: 'argon2id hash' }) }),
  'market.updated': MarketSettings,
  'market.halted': Type.Object({
    ...halt,
    haltedAt: Ms,
    resumeAt: Ms,
    price: Nullable(f.described(usdt, 'price that left the band; null if an operator halted the market')),
  }),
  'market.resumed': Type.Object(halt),
  'plan.updated': Type.Object({
    ...halt,
    minPrice: usdt,
    maxPrice: usdt,
    planPrice: f.described(usdt, 'shown to operators only'),
    planMinute: f.described(Int, 'minutes of a halt'),
    planState: OnOff,
  }),
  'order.cancel': Type.Object(recordNumber),
  'signal.published': PlatformSignal,
  'follow.close': Type.Object(recordNumber),
  'position.cancel': Type.Object(recordNumber),
  'position.close': Type.Object({ no: f.No, amount: coins }),
  'second.settled': Type.Object({
    no: f.No,
    result: f.choice({ 1: 'won', 2: 'lost', 3: 'equal' }),
    profit: f.described(usdt, 'signed decimal string, in USDT'),
    openTick: DecisiveTick,
    closeTick: DecisiveTick,
  }),
  'second.voided': Type.Object({ no: f.No, ...reason, reason: Type.String() }),
  'message.sent': Type.Object({
    no: Type.String({ description: 'number of the message' }),
    account: f.User,
    text: Type.String(),
    image: Type.Optional(Type.String({ description: 'data: URL' })),
    at: Ms,
  }),
  /** A signed head of the audit chain, which the platform stores; see docs/audit-chain.md. */
  'audit.head': Type.Object({
    number: Int,
    previous: Type.String(),
    rows: Int,
    hash: Type.String(),
    at: Ms,
    key: Type.String(),
    signature: Type.String(),
  }),
} satisfies Record<CommandType, TSchema>;

export type CommandData = { [T in CommandType]: Static<(typeof commandData)[T]> };

export type PlatformCommand = {
  [T in CommandType]: { seq: number; id: number; type: T; at: number; attempt: number; data: CommandData[T] };
}[CommandType];
