import type { LimitTier } from '@hengtai/contract/risk/withdraw-limit/calls';
import type { CoinLimits } from '@hengtai/contract/risk/withdraw-limit/compare';
import type { LimitCoin, LimitTerms, LimitVersion } from '@hengtai/contract/risk/withdraw-limit/schema';
import { sql } from 'kysely';
import { type Db, prepared } from '../../../database/connect.ts';

/** Key of the advisory lock of changes of limits, groups and members. */
const LIMIT_LOCK = 5_300_037;

/** Makes changes of limits, groups and members follow each other, so that what loosens is judged by what is in force. */
export async function lockLimits(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LIMIT_LOCK})`.execute(db);
}

const versionColumns = sql`l.id, l.market_id as "marketId", l.level, l.group_id as "groupId", l.version, l.enabled::int as "withdrawState",
  l.min_amount as "singleMin", l.max_amount as "singleMax", l.day_amount as "dayAmount", l.day_count as "dayCount",
  l.fee_fixed as "feeFixed", l.fee_rate as "feeRate", l.by_account as by, l.reason, l.created_at as "createdAt"`;

/** The versions in force, of one coin or all. What a group had ended with it. */
export async function fetchLimits(db: Db, marketId: number | null): Promise<LimitVersion[]> {
  const { rows } = await sql<LimitVersion>`${prepared}
    select distinct on (l.market_id, l.level, l.group_id) ${versionColumns} from withdraw_limit l
    left join user_group g on g.id = l.group_id
    where g.deleted_at is null and (${marketId}::bigint is null or l.market_id = ${marketId}::bigint)
    order by l.market_id, l.level, l.group_id, l.version desc`.execute(db);
  return rows;
}

/** All versions of a tier for a coin, latest first. */
export async function fetchVersions(
  db: Db,
  { marketId, level, groupId }: LimitTier & { marketId: number },
): Promise<LimitVersion[]> {
  const { rows } = await sql<LimitVersion>`
    select ${versionColumns} from withdraw_limit l
    where l.market_id = ${marketId} and l.level is not distinct from ${level}::smallint
      and l.group_id is not distinct from ${groupId}::bigint
    order by l.version desc`.execute(db);
  return rows;
}

/** The coins, with what holds of them without limits of levels and groups. */
export async function fetchLimitCoins(db: Db): Promise<LimitCoin[]> {
  const { rows } = await sql<LimitCoin>`
    select m.id as "marketId", m.market_name as "marketName", m.amount_precision as "amountPrecision",
      m.withdraw_min as "withdrawMin", m.withdraw_max as "withdrawMax"
    from market m where m.base_id is null order by m.sort, m.id`.execute(db);
  return rows;
}

/** What is in force of every coin. */
export async function fetchCoinLimits(db: Db): Promise<(CoinLimits & { coin: LimitCoin })[]> {
  const limits = await fetchLimits(db, null);
  return (await fetchLimitCoins(db)).map((coin) => ({
    coin,
    limits: limits.filter(({ marketId }) => marketId === coin.marketId),
  }));
}

export interface NewLimit extends LimitTerms, LimitTier {
  marketId: number;
  version: number;
  by: string;
  reason: string;
  now: number;
}

/** Inserts the next version; false if somebody else did. The unique index decides. */
export async function insertLimit(db: Db, limit: NewLimit): Promise<boolean> {
  const { rows } = await sql`
    insert into withdraw_limit (market_id, level, group_id, version, enabled, min_amount, max_amount, day_amount, day_count,
      fee_fixed, fee_rate, by_account, reason, created_at)
    values (${limit.marketId}, ${limit.level}, ${limit.groupId}, ${limit.version}, ${limit.withdrawState}::int::boolean,
      ${limit.singleMin}, ${limit.singleMax}, ${limit.dayAmount}, ${limit.dayCount}, ${limit.feeFixed}, ${limit.feeRate},
      ${limit.by}, ${limit.reason}, ${limit.now})
    on conflict (market_id, level, group_id, version) do nothing returning 1`.execute(db);
  return rows.length === 1;
}
