import { Type } from '@sinclair/typebox';
import { ConsentSignature, MarketType, PlatformSignal, UserSwitches } from './commands.schema.ts';
import * as f from './fields.schema.ts';
import { Market } from '../trading/market/schema.ts';
import { LiabilityProof } from '../desk/report/schema.ts';
import { AnswerAmount, Int, Ms, Nullable } from '../wire/schema.ts';

const coins = f.inUnit(AnswerAmount, 'the coin of the market');
const usdt = f.inUnit(AnswerAmount, 'USDT');

const balance = { market: f.Market, platform: f.AccountType, active: coins, frozen: coins };

const reported = { no: f.No, account: f.User, market: f.Market, network: f.Network, address: f.Address, memo: f.Memo };

/** The data of the answers to the calls with which the platform reads. */
export const platformReads = {
  balances: Type.Array(Type.Object(balance)),
  snapshot: Type.Object({
    fact: Type.Integer({ minimum: 0, description: 'number of the last ledger entry that the balances contain' }),
    balances: Type.Array(Type.Object({ account: f.User, ...balance })),
    next: Nullable(Type.String({ description: '`after` of the next page; null: this is the last one' })),
  }),
  markets: Type.Array(
    Type.Composite([
      Type.Omit(Market, [
        'id',
        'icon',
        'sort',
        'halted',
        'pricedAt',
        'unconfirmed',
        'change24h',
        'managed',
        'version',
        'updatedBy',
        'createdAt',
        'updatedAt',
      ]),
      Type.Object({ halted: Type.Array(MarketType, { description: 'kinds of trading that are halted now' }) }),
    ]),
  ),
  seconds: Type.Array(
    Type.Object({
      market: Nullable(f.described(f.Market, 'null: every market without an entry of its own for this length')),
      seconds: f.described(Int, 'length in seconds'),
      payoutRate: Type.String({ description: 'percent' }),
      minAmount: usdt,
      maxAmount: f.described(usdt, `${usdt.description}; 0 means no limit`),
      sort: Int,
      state: f.choice({ 0: 'off', 1: 'on' }),
    }),
  ),
  announcements: Type.Array(
    Type.Object({
      no: Type.String(),
      lang: Type.String(),
      title: Type.String(),
      content: Type.String({ description: 'sanitised HTML' }),
      platform: f.choice({ 0: 'everywhere', 1: 'web', 2: 'app' }),
      at: Ms,
      updatedAt: Ms,
      pinned: f.choice({ 0: 'in order', 1: 'before the others' }),
      group: Type.String({ description: 'the same for all languages of one announcement' }),
    }),
  ),
  announcementImage: Type.Object({
    key: Type.String(),
    type: Type.String(),
    width: f.described(Int, 'pixels'),
    height: f.described(Int, 'pixels'),
    data: Type.String({ description: 'base64' }),
  }),
  withdrawal: Type.Object({
    ...reported,
    amount: f.described(coins, `${coins.description}, fee included`),
    fee: coins,
    state: f.described(Int, 'state of the withdrawal'),
    attempt: f.described(Int, 'number of the latest payout; 0 before the first'),
    txHash: Type.String({ description: 'empty before it is known' }),
  }),
  withdrawalLimits: Type.Array(
    Type.Object({
      market: f.Market,
      level: f.choice({ 0: 'identity not verified', 1: 'basic', 2: 'advanced' }),
      withdrawState: f.choice({ 0: 'the user may not withdraw the coin', 1: 'the user may withdraw it' }),
      min: f.described(coins, `${coins.description}: least amount`),
      max: f.described(coins, `${coins.description}: greatest amount; 0 means no limit`),
      dayAmount: f.described(coins, `${coins.description}: limit of a UTC day, fees included; 0 means no limit`),
      dayCount: f.described(Int, 'withdrawals of a UTC day; 0 means no limit'),
      usedAmount: f.described(coins, `${coins.description}: requested on this UTC day, fees included`),
      usedCount: f.described(Int, 'withdrawals requested on this UTC day'),
      feeFixed: Nullable(f.described(coins, `${coins.description}: fixed fee; null: the fee of the network`)),
      feeRate: Nullable(
        Type.String({ description: 'fraction of the amount; null with feeFixed null: the platform sets the fee' }),
      ),
    }),
  ),
  user: Type.Composite([UserSwitches, Type.Object({ agent: f.described(f.User, 'account of the agent') })]),
  signals: Type.Array(PlatformSignal),
  liabilities: Nullable(Type.Omit(LiabilityProof, ['index', 'account', 'salt', 'balances', 'path'])),
  liabilityProof: LiabilityProof,
  rosters: Type.Array(
    Type.Object({
      version: Int,
      text: Type.String({ description: 'canonical JSON' }),
      signatures: Type.Array(ConsentSignature, {
        description: 'by keys of the roster before; of the first roster by its own',
      }),
    }),
  ),
  redeemed: Type.Object({
    account: f.User,
    readOnly: Type.Literal(true),
    operator: f.described(f.Operator, 'account of the operator who created the link'),
    at: f.described(Ms, 'creation of the link, in unix milliseconds'),
  }),
} as const;
