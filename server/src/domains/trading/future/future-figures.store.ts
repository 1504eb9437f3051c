import { sql } from 'kysely';

/**
 * Joins that add the figures derived from the mark price to rows `o` of future_order with their market `m`. They are
 * computed only here, in SQL, so that lists can sort and sum by them and every screen shows the same values.
 *
 * The mark price is the last tick of the market. Profit is rounded down to 18 decimals, as in the ledger; percentages have
 * four decimals; a liquidation price has the precision of its market. At the liquidation price, held plus unrealized equals
 * the maintenance margin rate · q · p. It is null where it would not be above zero, because no price can reach it.
 */
export const positionFigures = sql`
  left join lateral (
    select case when o.stage in (0, 1) then m.price end as mark, o.stage = 1 as live
  ) k on true
  left join lateral (
    select case when k.live then round(o.rest * k.mark, 18) end as notional,
      case when k.live then floor(case o.side when 1 then k.mark - o.open_price else o.open_price - k.mark end * o.rest
        * 1000000000000000000) / 1000000000000000000.000000000000000000 end as unrealized,
      case when k.live then m.maintenance_rate * o.rest * k.mark end as maintenance
  ) p on true
  left join lateral (
    select
      case when k.live then round(p.unrealized * 100 / nullif(o.held, 0), 4)
        when o.stage in (2, 4) then round(o.realized * 100 / nullif(o.margin, 0), 4) end as roe,
      round((o.held + p.unrealized) * 100 / nullif(p.maintenance, 0), 4) as ratio,
      case when k.live then nullif(greatest(round(case o.side
        when 1 then (o.open_price * o.rest - o.held) / (o.rest * (1 - m.maintenance_rate))
        else (o.open_price * o.rest + o.held) / (o.rest * (1 + m.maintenance_rate)) end, m.price_precision), 0), 0) end as liquidation
  ) f on true`;
