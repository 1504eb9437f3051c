import { type Static, Type } from '@sinclair/typebox';
import { HOME_DAYS } from './input-values.ts';
import { Id, Int, Ms, EmptyInput, Nullable, AnswerAmount } from './schema.ts';

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
  spot: Type.Object({ ...Flow.properties }, { description: 'turnover of the fills' }),
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

export const homeSchemas = {
  state: { input: EmptyInput, output: Type.Array(Card) },
  chart: { input: EmptyInput, output: Chart },
  trading: { input: EmptyInput, output: Trading },
};
