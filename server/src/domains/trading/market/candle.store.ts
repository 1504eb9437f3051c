import { CANDLES } from '@hengtai/contract/trading/market/calls';
import { CANDLE_MS } from '@hengtai/contract/wire/input-values';
import type { Candle, MarketCandlesInput } from '@hengtai/contract/trading/market/schema';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import type { Db } from '../../../database/connect.ts';

const MINUTE_MS = CANDLE_MS['1m'];
const HOUR_MS = CANDLE_MS['1h'];
/** Ticks per transaction, approximately: a minute is never split. */
const MAX_TICKS = 20_000;

/** The end of the last stored candle of a market and step, or 0. */
const coveredUntil = (market: string, step: number) => sql`coalesce((
  select c.at + ${step} from candle c where c.market_id = ${sql.ref(market)} and c.step = ${step} order by c.at desc limit 1), 0)`;

/**
 * The latest candles of a market up to a time. They combine stored candles with the ticks recorded since, so they are exact
 * whether the aggregation job has run or not.
 */
export async function findCandles(
  ctx: Pick<Ctx, 'db' | 'now'>,
  { id, length, to = ctx.now, limit = CANDLES }: MarketCandlesInput,
): Promise<Candle[]> {
  const width = CANDLE_MS[length];
  const step = width >= HOUR_MS ? HOUR_MS : MINUTE_MS;
  const { rows } = await sql<Candle>`
    with bound as (
      select m.id, ${coveredUntil('m.id', MINUTE_MS)} as minutes, ${coveredUntil('m.id', HOUR_MS)} as hours,
        least(${to}, coalesce(m.price_at, 0)) / ${width}::bigint * ${width}::bigint as last
      from market m where m.id = ${id}
    ),
    span as (select *, last - ${(limit - 1) * width}::bigint as first, last + ${width}::bigint as beyond from bound),
    part as (
      select c.at, 0::bigint as n, c.open, c.high, c.low, c.close, c.volume, c.ticks from span s
        join candle c on c.market_id = s.id and c.step = ${step} and c.at >= s.first and c.at < s.beyond
      union all
      select c.at, 0::bigint, c.open, c.high, c.low, c.close, c.volume, c.ticks from span s
        join candle c on ${step} = ${HOUR_MS} and c.market_id = s.id and c.step = ${MINUTE_MS}
          and c.at >= greatest(s.first, s.hours) and c.at < s.beyond
      union all
      select t.at, t.id, t.price, t.price, t.price, t.price, t.volume, 1 from span s
        join tick t on t.market_id = s.id and t.at >= greatest(s.first, s.minutes) and t.at < s.beyond
    )
    select at / ${width}::bigint * ${width}::bigint as at, (array_agg(open order by at, n))[1] as open, max(high) as high,
      min(low) as low, (array_agg(close order by at desc, n desc))[1] as close, sum(volume) as volume,
      sum(ticks)::bigint as ticks
    from part group by 1 order by 1`.execute(ctx.db);
  return rows;
}

/**
 * Markets with a complete minute of ticks that has no candle yet. `offset 0` keeps the end of the stored candles a separate
 * row, so that PostgreSQL uses it as the start of the index scan of ticks.
 */
export async function findMarketsToAggregate(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select m.id from market m cross join lateral (select ${coveredUntil('m.id', MINUTE_MS)} as since offset 0) s
    where m.price_at is not null and exists (
      select from tick t where t.market_id = m.id and t.at >= s.since
        and t.at < m.price_at / ${MINUTE_MS}::bigint * ${MINUTE_MS}::bigint)
    order by m.id`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Stores the candles of complete minutes and hours. Ticks of a market never go back in time, so a minute is complete once a
 * tick of a later minute is recorded, and each candle is written once.
 *
 * @returns whether there may be more
 */
export async function aggregateMinutes(db: Db, marketId: number): Promise<boolean> {
  const { rows } = await sql<{ from: number; to: number; more: boolean }>`
    with bound as (
      select m.id, ${coveredUntil('m.id', MINUTE_MS)} as start, m.price_at / ${MINUTE_MS}::bigint * ${MINUTE_MS}::bigint as full_to
      from market m where m.id = ${marketId} and m.price_at is not null
    ),
    cut as (
      select b.*, (select t.at / ${MINUTE_MS}::bigint * ${MINUTE_MS}::bigint from tick t where t.market_id = b.id and t.at >= b.start
        order by t.at, t.id limit 1 offset ${MAX_TICKS}) as far,
        (select t.at / ${MINUTE_MS}::bigint * ${MINUTE_MS}::bigint from tick t where t.market_id = b.id and t.at >= b.start
        order by t.at, t.id limit 1) as near
      from bound b
    )
    select start as "from", coalesce(far is not null and greatest(far, near + ${MINUTE_MS}) < full_to, false) as more,
      case when far is null then full_to else least(full_to, greatest(far, near + ${MINUTE_MS})) end as "to"
    from cut where near is not null`.execute(db);
  const [range] = rows;
  if (!range || range.to <= range.from) return false;
  await sql`
    insert into candle (market_id, step, at, open, high, low, close, volume, ticks)
    select ${marketId}, ${MINUTE_MS}, at / ${MINUTE_MS}::bigint * ${MINUTE_MS}::bigint, (array_agg(price order by at, id))[1], max(price),
      min(price), (array_agg(price order by at desc, id desc))[1], sum(volume), count(*)
    from tick where market_id = ${marketId} and at >= ${range.from} and at < ${range.to} group by 3`.execute(db);
  await addUpHours(db, marketId, range.to);
  return range.more;
}

/**
 * Stores the hours that end before a time up to which all minutes are stored. The start is a separate query: as a subquery it
 * would be evaluated for every stored minute.
 */
async function addUpHours(db: Db, marketId: number, minutesTo: number): Promise<void> {
  const { rows } = await sql<{ since: number }>`
    select ${coveredUntil('m.id', HOUR_MS)} as since from market m where m.id = ${marketId}`.execute(db);
  await sql`
    insert into candle (market_id, step, at, open, high, low, close, volume, ticks)
    select ${marketId}, ${HOUR_MS}, c.at / ${HOUR_MS}::bigint * ${HOUR_MS}::bigint, (array_agg(c.open order by c.at))[1], max(c.high),
      min(c.low), (array_agg(c.close order by c.at desc))[1], sum(c.volume), sum(c.ticks)
    from candle c
    where c.market_id = ${marketId} and c.step = ${MINUTE_MS} and c.at >= ${rows[0]?.since ?? 0}
      and c.at < ${Math.floor(minutesTo / HOUR_MS) * HOUR_MS}
    group by 3`.execute(db);
}
