import { type Static, Type } from '@sinclair/typebox';
import { HOME_DAYS, TREND_DAYS } from '../../wire/input-values.ts';
import { Id, Int, Ms, EmptyInput, Nullable, AnswerAmount } from '../../wire/schema.ts';
import { type QueueKey, queueKeys } from '../queue/work-queue.ts';

const Card = Type.Object({ text: Type.String(), value: Type.String() });
export type HomeCard = Static<typeof Card>;

/** A day's inflow or outflow: value in USDT, rounded to cents, and number of requests. */
const Flow = Type.Object({ value: AnswerAmount, count: Int });

const Day = Type.Object({
  day: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'in the report zone' }),
  recharge: Flow,
  withdraw: Flow,
  net: Type.String({ description: 'recharge less withdraw, in USDT' }),
  users: Type.Integer({ minimum: 0, description: 'new users' }),
  review: Type.Object({
    count: Type.Integer({ minimum: 0, description: 'withdrawals decided on this day' }),
    median: Nullable(Ms),
    p90: Nullable(Ms),
  }),
});

const Coin = Type.Object({
  marketId: Id,
  marketName: Type.String(),
  recharge: AnswerAmount,
  withdraw: AnswerAmount,
  net: AnswerAmount,
  value: Type.Union([Type.String(), Type.Null()], { description: 'net in USDT; null if the coin has no price' }),
});

const Chart = Type.Object({
  /** Time at which the figures were read. They are cached for a few seconds. */
  at: Ms,
  zone: Type.String({ description: 'the report zone, which decides where days begin' }),
  days: Type.Array(Day, { minItems: HOME_DAYS, maxItems: HOME_DAYS }),
  coins: Type.Array(Coin),
  waiting: Type.Object({
    count: Type.Integer({ minimum: 0, description: 'withdrawals waiting for review now' }),
    oldestAt: Nullable(Ms),
  }),
});
export type HomeChart = Static<typeof Chart>;
export type HomeDay = HomeChart['days'][number];
export type HomeCoin = HomeChart['coins'][number];

/** What users won (positive) or lost on a day, in USDT, rounded to cents. */
const Result = Type.String({ description: 'signed, in USDT, without fees and funding' });

const TradingDay = Type.Object({
  day: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'in the report zone' }),
  spot: Type.Object(
    {
      ...Flow.properties,
      unpriced: Type.Optional(Type.Integer({ description: 'fills without value: their quote has no price' })),
    },
    { description: 'turnover of the fills' },
  ),
  future: Type.Object(
    { ...Flow.properties, result: Result },
    { description: 'notional opened and closed by real positions, and the realized result of the closes' },
  ),
  second: Type.Object(
    { ...Flow.properties, result: Result },
    { description: 'stakes of contracts opened and not voided, and the result of those settled on this day' },
  ),
  ieo: Type.Object({ ...Flow.properties }, { description: 'payments for subscriptions approved on this day' }),
});

const Trading = Type.Object({
  at: Ms,
  zone: Type.String(),
  days: Type.Array(TradingDay, { minItems: HOME_DAYS, maxItems: HOME_DAYS }),
});
export type HomeTrading = Static<typeof Trading>;
export type HomeTradingDay = HomeTrading['days'][number];

const Queue = Type.Object({
  key: Type.Unsafe<QueueKey>(Type.String({ enum: queueKeys })),
  count: Type.Integer({ minimum: 1 }),
  oldestAt: Ms,
  target: Type.Integer({ minimum: 0, description: 'minutes within which a record should be decided; 0: no target' }),
  /** The record to decide first. Names outside the caller's scope are null. */
  riskiest: Type.Object({
    id: Id,
    userId: Nullable(Id),
    account: Nullable(Type.String()),
    amount: Nullable(AnswerAmount),
    marketName: Nullable(Type.String({ description: 'null for values in USDT' })),
    details: Type.Array(Type.String(), {
      description:
        "a withdrawal's risks, gravest first; an approval's action, an alarm's kind, a command's type, an identity review's level, a market type",
    }),
  }),
});
export type HomeQueue = Static<typeof Queue>;

const Trend = Type.Object({
  text: Type.String({ description: 'text of the card' }),
  days: Type.Array(AnswerAmount, { minItems: TREND_DAYS, maxItems: TREND_DAYS, description: 'today last' }),
  yesterday: Type.String({ description: 'the figure of today as it was at the same time of yesterday' }),
});
export type HomeTrend = Static<typeof Trend>;

const Trends = Type.Object({
  at: Ms,
  /** Today in the report zone. */
  today: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
  zone: Type.String({ description: 'the report zone' }),
  cards: Type.Array(Trend),
});
export type HomeTrends = Static<typeof Trends>;

export const homeSchemas = {
  queues: { input: EmptyInput, output: Type.Array(Queue) },
  trends: { input: EmptyInput, output: Trends },
  state: { input: EmptyInput, output: Type.Array(Card) },
  chart: { input: EmptyInput, output: Chart },
  trading: { input: EmptyInput, output: Trading },
};
