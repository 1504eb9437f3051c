import type { PriceProtectionHaltRow } from '@hengtai/contract/risk/price-protection/schema';
import { type MarketType } from '@hengtai/contract/trading/market/type';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import type { Db } from '../../../database/connect.ts';
import { namedInScope } from '../../../database/scope.ts';
import { HALT_COLUMN } from '../../trading/market/market.store.ts';
import type { PriceProtectionKey } from './price-protection.store.ts';

export interface Halt {
  marketId: number;
  marketType: MarketType;
  at: number;
  resumeAt: number;
  /** Either the price that left the band or the operator who halted is set. */
  price: string | null;
  by: string | null;
  reason: string;
  planMinute: number;
  now: number;
}

/**
 * Halts a market type. An operator's halt leaves the band armed; a halt by price arms it only when the price returns.
 *
 * @returns the name of the market; undefined if it was halted already
 */
export async function haltMarket(db: Db, halt: Halt): Promise<string | undefined> {
  const column: RawBuilder<unknown> = sql.ref(HALT_COLUMN[halt.marketType]);
  const { rows } = await sql<{ marketName: string }>`
    update market set ${column} = ${halt.at} where id = ${halt.marketId} and ${column} is null
    returning market_name as "marketName"`.execute(db);
  if (!rows[0]) return undefined;
  await sql`
    insert into plan (market_id, market_type, plan_minute, triggered_at, trigger_price, halted_by, resume_at, inside,
      created_at, recorded_at, updated_at)
    values (${halt.marketId}, ${halt.marketType}, ${halt.planMinute}, ${halt.at}, ${halt.price}, ${halt.by}, ${halt.resumeAt},
      ${halt.by !== null}, ${halt.now}, ${halt.now}, ${halt.now})
    on conflict (market_id, market_type) do update set triggered_at = excluded.triggered_at, trigger_price = excluded.trigger_price,
      halted_by = excluded.halted_by, resume_at = excluded.resume_at, inside = plan.inside and excluded.inside`.execute(
    db,
  );
  await insertHalt(db, halt);
  return rows[0].marketName;
}

/** Records a halt, with the band if its price left it. */
async function insertHalt(db: Db, halt: Halt): Promise<void> {
  await sql`
    insert into halt (market_id, market_type, triggered_at, trigger_price, min_price, max_price, halted_by, reason,
      resume_at, recorded_at)
    select p.market_id, p.market_type, ${halt.at}, ${halt.price}::numeric,
      case when ${halt.by}::text is null then p.min_price end, case when ${halt.by}::text is null then p.max_price end,
      ${halt.by}, ${halt.reason}, ${halt.resumeAt}, ${halt.now}
    from plan p where p.market_id = ${halt.marketId} and p.market_type = ${halt.marketType}`.execute(db);
}

/** When a halt ended, and who ended it early; `by` is null if its time was over. */
export interface Resumption {
  at: number;
  by: string | null;
}

/**
 * Ends a halt.
 *
 * @param resumption `by` is null if the time of the halt is over
 * @returns the name of the market; undefined if it was not halted
 */
export async function resumeMarket(
  db: Db,
  { id, marketType }: PriceProtectionKey,
  resumption: Resumption,
): Promise<string | undefined> {
  const column: RawBuilder<unknown> = sql.ref(HALT_COLUMN[marketType]);
  const { rows } = await sql<{ marketName: string }>`
    update market set ${column} = null where id = ${id} and ${column} is not null
    returning market_name as "marketName"`.execute(db);
  if (!rows[0]) return undefined;
  await sql`update plan set resume_at = null where market_id = ${id} and market_type = ${marketType}`.execute(db);
  await endHalt(db, { id, marketType }, resumption);
  return rows[0].marketName;
}

async function endHalt(db: Db, { id, marketType }: PriceProtectionKey, { at, by }: Resumption): Promise<void> {
  await sql`
    update halt set resumed_at = ${at}, resumed_by = ${by}
    where market_id = ${id} and market_type = ${marketType} and resumed_at is null`.execute(db);
}

/** Halts past their end, at most 100. */
export async function findOverdueHalts(db: Db, now: number): Promise<PriceProtectionKey[]> {
  const { rows } = await sql<PriceProtectionKey>`
    select market_id as id, market_type as "marketType" from plan where resume_at <= ${now}
    order by market_id, market_type limit 100`.execute(db);
  return rows;
}

/** The last halts of a market type, latest first. */
export async function fetchHalts(
  { db, scope }: Pick<Ctx, 'db' | 'scope'>,
  { id, marketType }: PriceProtectionKey,
  limit: number,
): Promise<PriceProtectionHaltRow[]> {
  const { rows } = await sql<PriceProtectionHaltRow>`
    select h.id, h.triggered_at as "triggeredAt", h.trigger_price as "triggerPrice", h.min_price as "minPrice",
      h.max_price as "maxPrice", ${namedInScope(scope, 'h.halted_by')} as "haltedBy", h.reason, h.resume_at as "resumeAt",
      h.resumed_at as "resumedAt", ${namedInScope(scope, 'h.resumed_by')} as "resumedBy"
    from halt h where h.market_id = ${id} and h.market_type = ${marketType}
    order by h.id desc limit ${limit}`.execute(db);
  return rows;
}
