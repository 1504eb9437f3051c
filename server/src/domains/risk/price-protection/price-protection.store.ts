import { type MarketType } from '@hengtai/contract/trading/market/type';
import { priceProtection as calls } from '@hengtai/contract/risk/price-protection/calls';
import type { PriceProtectionRow, PriceProtectionSave } from '@hengtai/contract/risk/price-protection/schema';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import type { Db } from '../../../database/connect.ts';
import { defineList } from '../../../books/lists/list.ts';
import type { ListSource } from '../../../books/lists/source.ts';
import { namedInScope, isMarketGranted } from '../../../database/scope.ts';

/** Start of the halt of a market type. `m` is a market row with `market_type`. */
const haltedAt = sql`case m.market_type when 1 then m.halted_at when 2 then m.future_halted_at else m.second_halted_at end`;

/** One row per accessible market and market type that is open, halted or has a plan. */
const sourceFor = ({ scope, operator }: Pick<Ctx, 'scope' | 'operator'>): ListSource => ({
  fields: sql`
    m.id, m.market_name as "marketName", m.icon, m.market_type as "marketType", m.price, p.max_price as "maxPrice",
    p.min_price as "minPrice", case when ${haltedAt} is not null then 2 else coalesce(p.watched, 0) end as "planState",
    coalesce(p.watched, 0) as watched, coalesce(p.plan_minute, 15) as "planMinute", p.plan_price as "planPrice",
    coalesce(${haltedAt}, p.triggered_at) as "triggeredAt", p.trigger_price as "triggerPrice", ${namedInScope(scope, 'p.halted_by')} as "haltedBy",
    case when ${haltedAt} is not null then p.resume_at end as "resumeAt", m.price_precision as "pricePrecision", m.open, m.sort,
    ${namedInScope(scope, 'p.updated_by')} as "updatedBy", coalesce(p.version, 0) as version, coalesce(p.created_at, m.created_at) as "createdAt",
    coalesce(p.updated_at, m.updated_at) as "updatedAt"`,
  from: sql`(
    select k.*, k.id * 4 + k.market_type as row_id from (
      select m.*, t.market_type, case t.market_type when 1 then m.spot when 2 then m.future else m.second end as open
      from market m cross join (values (1), (2), (3)) as t (market_type) where m.market_name <> ${SETTLEMENT}
    ) k
  ) m left join plan p on p.market_id = m.id and p.market_type = m.market_type`,
  id: 'm.row_id',
  createdAt: 'm.created_at',
  filters: {
    id: 'm.id',
    marketType: 'm.market_type',
    marketName: sql`lower(m.market_name)`,
    planState: sql`case when ${haltedAt} is not null then 2 else coalesce(p.watched, 0) end`,
  },
  sort: { sort: 'm.sort', price: 'm.price' },
  where: sql<boolean>`(m.open = 1 or p.id is not null or ${haltedAt} is not null) and ${isMarketGranted(scope, operator.id, 'm.id')}`,
});

export const listPriceProtections = defineList(calls.list, sourceFor, { sort: 'sort' });

export interface PriceProtectionKey {
  id: number;
  marketType: MarketType;
}

/** The plan of a market type, with defaults if it was never saved; undefined if the operator has no access. */
export async function findPriceProtection(
  ctx: Ctx,
  { id, marketType }: PriceProtectionKey,
): Promise<PriceProtectionRow | undefined> {
  const { fields, from } = sourceFor(ctx);
  const { rows } = await sql<PriceProtectionRow>`select ${fields} from ${from}
    where m.id = ${id} and m.market_type = ${marketType} and ${isMarketGranted(ctx.scope, ctx.operator.id, 'm.id')}`.execute(
    ctx.db,
  );
  return rows[0];
}

/**
 * Saves a plan of this version (optimistic locking). A changed or newly watched band may trigger on the next tick outside.
 *
 * @returns false if the version changed
 */
export async function savePriceProtection(
  ctx: Ctx,
  input: Omit<PriceProtectionSave, 'planState'> & { watched: 0 | 1 },
  version: number,
  by: string,
): Promise<boolean> {
  const { rows } = await sql`
    insert into plan as p (market_id, market_type, min_price, max_price, plan_price, plan_minute, watched, updated_by,
      created_at, recorded_at, updated_at)
    values (${input.id}, ${input.marketType}, ${input.minPrice}, ${input.maxPrice}, ${input.planPrice}, ${input.planMinute},
      ${input.watched}, ${by}, ${ctx.now}, ${ctx.now}, ${ctx.now})
    on conflict (market_id, market_type) do update set
      inside = p.inside or p.watched < excluded.watched or p.min_price is distinct from excluded.min_price
        or p.max_price is distinct from excluded.max_price,
      min_price = excluded.min_price, max_price = excluded.max_price, plan_price = excluded.plan_price,
      plan_minute = excluded.plan_minute, watched = excluded.watched, updated_by = excluded.updated_by,
      version = p.version + 1, updated_at = excluded.updated_at
    where p.version = ${version}
    returning id`.execute(ctx.db);
  return rows.length === 1;
}

export interface WatchedPriceProtection {
  marketId: number;
  marketType: MarketType;
  minPrice: string;
  maxPrice: string;
  planMinute: number;
  inside: boolean;
  halted: boolean;
}

/** Locks the watched plans of these markets. The caller has locked the markets. */
export async function lockWatchedPriceProtections(
  db: Db,
  marketIds: readonly number[],
): Promise<WatchedPriceProtection[]> {
  const { rows } = await sql<WatchedPriceProtection>`
    select p.market_id as "marketId", p.market_type as "marketType", p.min_price as "minPrice", p.max_price as "maxPrice",
      p.plan_minute as "planMinute", p.inside,
      (case p.market_type when 1 then m.halted_at when 2 then m.future_halted_at else m.second_halted_at end) is not null as halted
    from plan p join market m on m.id = p.market_id
    where p.watched = 1 and p.market_id = any(${[...marketIds]}::bigint[])
    order by p.market_id, p.market_type for update of p`.execute(db);
  return rows;
}

export async function setInside(
  db: Db,
  key: Pick<WatchedPriceProtection, 'marketId' | 'marketType'>,
  inside: boolean,
): Promise<void> {
  await sql`update plan set inside = ${inside} where market_id = ${key.marketId} and market_type = ${key.marketType}`.execute(
    db,
  );
}
