import { SETTLEMENT } from '@hengtai/contract/values/money';
import { SPOT_SIDE, spot as calls } from '@hengtai/contract/trading/spot/calls';
import type { SpotFill } from '@hengtai/contract/trading/spot/schema';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { defineList, lastRows } from '../../../books/lists/list.ts';
import type { ListSource } from '../../../books/lists/source.ts';
import { userRows } from '../../../books/lists/user-rows.ts';
import { inScope } from '../../../database/scope.ts';
import { coinName, pairOf, quoteName } from './spot.store.ts';

const MAX_ROWS = 200;

const base = userRows('trade_fill', 'f');
const { state: _state, no: _no, ...filters } = base.filters;

/** Without counters, like that of the orders: a fill has two coins, of its market and of its fee, a counter one. */
const source: ListSource = {
  ...base,
  fields: sql`
    f.id, f.order_id as "orderId", f.trade_no as "tradeNo", f.user_id as "userId", u.account, g.shown as agent,
    f.market_id as "marketId", m.market_name as "marketName", ${coinName} as "coinName", ${quoteName} as "quoteName",
    o.side, f.price, f.amount, f.turnover, f.fee, c.market_name as "feeMarket", f.created_at as "createdAt"`,
  // A fee without a coin is in what the user received.
  from: sql`${pairOf(base.from)} left join trade_order o on o.id = f.order_id
    left join lateral (select coalesce(f.fee_market_id, case when o.side = ${sql.lit(SPOT_SIDE.buy)} then coalesce(m.base_id, m.id)
      else coalesce(m.quote_id, (select s.id from market s where s.market_name = ${sql.lit(SETTLEMENT)})) end) as coin) x on true
    left join market c on c.id = x.coin`,
  filters: { ...filters, side: 'o.side', orderId: 'f.order_id', tradeNo: 'f.trade_no' },
  sort: { price: 'f.price', amount: 'f.amount', turnover: 'f.turnover' },
  sums: {
    marketId: 'f.market_id',
    fields: { amount: 'f.amount', turnover: 'f.turnover' },
    perCoin: { field: 'fee', join: sql``, marketId: 'x.coin', amount: 'f.fee' },
  },
};

const sourceFor = ({ scope }: Pick<Ctx, 'scope'>): ListSource => ({ ...source, where: inScope(scope, 'f.agent_id') });

export const listFills = defineList(calls.fills, sourceFor);

/** The latest fills of one order, at most MAX_ROWS. */
export const fetchFills = (ctx: Ctx, id: number): Promise<SpotFill[]> =>
  lastRows<SpotFill>(ctx.db, sourceFor(ctx), sql`f.order_id = ${id}`, MAX_ROWS);
