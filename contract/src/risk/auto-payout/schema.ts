import { type Static, Type } from '@sinclair/typebox';
import { autoReasons, autoStops } from './labels.ts';
import { INT_MAX, MS_MAX } from '../../wire/list.ts';
import {
  Amount,
  AnswerAmount,
  EmptyInput,
  Id,
  IdInput,
  Int,
  Ms,
  Nullable,
  Reason,
  RequiredReason,
  Strict,
} from '../../wire/schema.ts';

const keyOf = <T extends object>(labels: T) =>
  Type.Unsafe<keyof T & string>(Type.Union(Object.keys(labels).map((key) => Type.Literal(key))));

/** Amounts are in the coin, the fee included; days are those of UTC. */
const budgetFields = {
  on: Type.Boolean({ description: 'whether the system passes withdrawals of the coin' }),
  dayAmount: Amount,
  dayCount: Type.Integer({ minimum: 0, maximum: INT_MAX, description: 'withdrawals of a day' }),
  userDayAmount: Amount,
  largestUnverified: Amount,
  largestBasic: Amount,
  largestAdvanced: Amount,
  firstByHand: Type.Boolean({ description: 'the first withdrawal of a user to an address is left to people' }),
  reviewPercent: Type.Integer({ minimum: 0, maximum: 100, description: 'share that is drawn for a later review' }),
};
export type AutoBudget = Pick<AutoSave, keyof typeof budgetFields>;

const Version = Type.Object({
  version: Type.Integer({ description: 'from 1' }),
  ...budgetFields,
  by: Type.String(),
  reason: Type.String(),
  createdAt: Ms,
});
export type AutoVersion = Static<typeof Version>;

const Cause = Type.Object({
  id: Id,
  why: keyOf(autoStops),
  platform: Type.Object({ id: Id, name: Type.String() }, { description: 'only its coin is stopped' }),
  withdrawId: Nullable({ ...Id, description: 'null: an alarm about a move on a chain' }),
  alarmId: Nullable(Id),
  key: Nullable(
    Type.Object(
      {
        id: Nullable(Type.Integer({ description: 'null: a key of the environment' })),
        name: Type.String({ description: 'empty for a key of the environment' }),
        revoked: Type.Boolean(),
      },
      { description: 'the key of the gateway by which it came; null without one, and for causes of earlier versions' },
    ),
  ),
  at: Ms,
  handledAt: Nullable(Ms),
});
export type AutoCause = Static<typeof Cause>;

const Coin = Type.Object({
  marketId: Id,
  marketName: Type.String(),
  on: Type.Boolean(),
  stopped: Nullable(
    Type.Object({
      at: Ms,
      why: keyOf(autoStops),
      by: Nullable(
        Type.String({ description: 'null if it stopped by itself, or the operator is not in the own tree' }),
      ),
      platforms: Nullable(
        Type.Array(Type.String(), { description: 'names of those that are stopped; null: all, or without full scope' }),
      ),
    }),
  ),
  updatedAt: Ms,
  budget: Nullable(Version),
  /** Null without full scope, as all that follows. */
  spent: Nullable(Type.Object({ day: Ms, amount: AnswerAmount, count: Int })),
  causes: Nullable(Type.Array(Cause, { description: 'open ones, oldest first; each stops the coin on its platform' })),
  openAlarms: Nullable(Type.Integer({ description: 'open alarms that stop the coin, also after it was resumed' })),
  toReview: Nullable(Type.Integer({ description: 'passed withdrawals that were drawn and not reviewed yet' })),
  lastDecision: Nullable(
    Type.Object(
      { withdrawId: Id, passed: Type.Boolean(), why: Nullable(keyOf(autoReasons)), at: Ms },
      { description: 'null if there is none among the last 100 withdrawals of the coin' },
    ),
  ),
});
export type AutoCoin = Static<typeof Coin>;

const CoinDetail = Type.Object({
  row: Coin,
  versions: Type.Array(Version, { description: 'latest first' }),
  causes: Type.Array(Cause, { description: 'the last payouts, rules and alarms that demanded a stop, latest first' }),
});
export type AutoCoinDetail = Static<typeof CoinDetail>;

const sumFields = { count: Int, amount: AnswerAmount };
const WhatIfRow = Type.Object({
  id: Id,
  userId: Id,
  account: Type.String(),
  amount: AnswerAmount,
  risk: Type.Array(Type.String(), { description: 'as recorded with the request' }),
  /** Why it is left to people under the budget that does not pass it. */
  why: keyOf(autoReasons),
  createdAt: Ms,
});
export type AutoWhatIfRow = Static<typeof WhatIfRow>;
const groupFields = { ...sumFields, newest: Type.Array(WhatIfRow, { description: 'at most 10' }) };

/** What a budget, or the one in force without its stops, would have passed of the withdrawals of the last days. */
export const AutoWhatIf = Type.Object({
  question: Type.Union([Type.Literal('budget'), Type.Literal('start')], {
    description: 'what is proposed: the budget of the input, or the one in force as if it had never been stopped',
  }),
  marketName: Type.String(),
  from: Type.Integer({ ...Ms, description: 'start of the first day; if not complete, the oldest that was looked at' }),
  complete: Type.Boolean({ description: 'false if only the newest withdrawals of these days were looked at' }),
  total: Type.Integer({ description: 'withdrawals that were looked at' }),
  present: Type.Object(sumFields, { description: 'passed under the budget in force' }),
  proposed: Type.Object(sumFields, { description: 'passed under what is proposed' }),
  opened: Type.Object(groupFields, { description: 'passed only under what is proposed' }),
  closed: Type.Object(groupFields, { description: 'passed only under the budget in force' }),
});
export type AutoWhatIf = Static<typeof AutoWhatIf>;

const WhatIfInput = Strict({ marketId: Id, ...budgetFields });
export type AutoWhatIfInput = Static<typeof WhatIfInput>;

const StartWhatIfInput = Strict({ marketId: Id });
export type AutoStartWhatIfInput = Static<typeof StartWhatIfInput>;

const Seen = Type.Integer({
  minimum: 0,
  maximum: MS_MAX,
  description: 'updatedAt that was read; 409 if it changed since',
});

const CAUSES_MAX = 10_000;
const LookedAt = Type.Array(Id, {
  maxItems: CAUSES_MAX,
  uniqueItems: true,
  description: 'open causes that were looked at; all of each platform that starts. 409 if another one is open',
});

const Save = Strict({
  marketId: Id,
  seen: Type.Optional(Seen),
  ...budgetFields,
  causes: Type.Optional(LookedAt),
  reason: Type.Optional(Reason),
});
export type AutoSave = Static<typeof Save>;

const Start = Strict({ marketId: Id, seen: Seen, causes: Type.Optional(LookedAt), reason: RequiredReason });
export type AutoStart = Static<typeof Start>;

const Stop = Strict({ marketId: Type.Optional(Id), reason: Type.Optional(Reason) });
export type AutoStop = Static<typeof Stop>;

const Stopped = Type.Object({ stopped: Type.Array(Id, { description: 'coins that ran before' }) });
export type AutoStopped = Static<typeof Stopped>;

const ReviewInput = Strict({
  id: Id,
  sound: Type.Boolean({ description: 'whether the decision was right' }),
  reason: Type.Optional(Reason),
});
export type AutoReviewInput = Static<typeof ReviewInput>;

const Review = Type.Object({ sound: Type.Boolean(), reason: Type.String(), by: Type.String(), at: Ms });
export type AutoReview = Static<typeof Review>;

/** What the system decided about a withdrawal. Budget and sums are null without full scope. */
export const AutoDecision = Type.Object({
  passed: Type.Boolean(),
  why: Nullable(keyOf(autoReasons)),
  set: Nullable(Type.Integer({ description: 'number of the rule set that ran' })),
  budget: Nullable(Version),
  spent: Nullable(
    Type.Object({
      before: AnswerAmount,
      after: AnswerAmount,
      count: Type.Integer({ description: 'passed on this day, this one included' }),
      userBefore: AnswerAmount,
      userAfter: AnswerAmount,
    }),
  ),
  mandateId: Nullable(Type.Integer({ description: 'signed budget that the payout carries' })),
  head: Nullable(Type.Integer({ description: 'number of the head of the audit chain that the draw took as its seed' })),
  draw: Nullable(Type.Integer({ description: '0 to 99; drawn for review if below the share' })),
  drawn: Type.Boolean(),
  review: Nullable(Review),
  at: Ms,
});
export type AutoDecision = Static<typeof AutoDecision>;

export const autoPayoutSchemas = {
  list: { input: EmptyInput, output: Type.Array(Coin) },
  detail: { input: IdInput, output: CoinDetail },
  whatIf: { input: WhatIfInput, output: AutoWhatIf },
  startWhatIf: { input: StartWhatIfInput, output: AutoWhatIf },
  save: { input: Save, output: Coin },
  start: { input: Start, output: Coin },
  stop: { input: Stop, output: Stopped },
  review: { input: ReviewInput, output: Review },
};
