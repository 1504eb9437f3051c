import { type Static, Type } from '@sinclair/typebox';
import { HOME_DAYS, home } from './home.ts';
import { Id, Int, Ms, Nothing, Nullable, Signed, endpoint } from './schema.ts';

const Card = Type.Object({ text: Type.String(), value: Type.String() });
export type HomeCard = Static<typeof Card>;

/** Money that came or went on a day: its value in USDT, to the cent, and how many requests it was. */
const Flow = Type.Object({ value: Signed, count: Int });

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
  recharge: Signed,
  withdraw: Signed,
  net: Signed,
  value: Type.Union([Type.String(), Type.Null()], { description: 'net in USDT; null while the coin has no price' }),
});

const Chart = Type.Object({
  /** When the figures were read; they are kept for a few seconds. */
  at: Ms,
  zone: Type.String({ description: 'the report zone, in which days are cut' }),
  days: Type.Array(Day, { minItems: HOME_DAYS, maxItems: HOME_DAYS }),
  coins: Type.Array(Coin),
  waiting: Type.Object({
    count: Type.Integer({ minimum: 0, description: 'withdrawals that wait for review now' }),
    oldestAt: Nullable(Ms),
  }),
});
export type HomeChart = Static<typeof Chart>;
export type HomeDay = HomeChart['days'][number];
export type HomeCoin = HomeChart['coins'][number];

/** What users won (above zero) or lost on a day, in USDT, to the cent. */
const Result = Type.String({ description: 'signed, in USDT; fees and fundings are no part of it' });

const TradingDay = Type.Object({
  day: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'in the report zone' }),
  spot: Type.Object({ ...Flow.properties }, { description: 'turnover of the fills' }),
  future: Type.Object(
    { ...Flow.properties, result: Result },
    { description: 'notional opened and closed by real positions, and what closing them realised' },
  ),
  second: Type.Object(
    { ...Flow.properties, result: Result },
    { description: 'stakes of contracts opened and not voided, and what those settled on this day came to' },
  ),
  ieo: Type.Object({ ...Flow.properties }, { description: 'paid for subscriptions that passed on this day' }),
});

const Trading = Type.Object({
  at: Ms,
  zone: Type.String(),
  days: Type.Array(TradingDay, { minItems: HOME_DAYS, maxItems: HOME_DAYS }),
});
export type HomeTrading = Static<typeof Trading>;
export type HomeTradingDay = HomeTrading['days'][number];

export const homeEndpoints = {
  state: endpoint(home.state, Nothing, Type.Array(Card)),
  chart: endpoint(home.chart, Nothing, Chart),
  trading: endpoint(home.trading, Nothing, Trading),
};
