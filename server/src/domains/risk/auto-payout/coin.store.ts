import type { AutoBudget, AutoCause, AutoCoin, AutoVersion } from '@hengtai/contract/risk/auto-payout/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { type Db, prepared } from '../../../database/connect.ts';
import { openAlarmCount, openCausesJson } from './stop-cause.store.ts';

export const DAY_MS = 86_400_000;
/** Withdrawals of a coin among which its last decision is looked for. */
const RECENT_WITHDRAWS = 100;
/** Key of the advisory lock of changes of budgets. */
const BUDGET_LOCK = 5_300_035;

/** The UTC day of a time, as a number. */
export const dayOf = (now: number): number => Math.floor(now / DAY_MS);

const versionFields = {
  version: sql`b.version`,
  on: sql`b.enabled`,
  dayAmount: sql`trim_scale(b.day_amount)::text`,
  dayCount: sql`b.day_count`,
  userDayAmount: sql`trim_scale(b.user_day_amount)::text`,
  largestUnverified: sql`trim_scale(b.largest_unverified)::text`,
  largestBasic: sql`trim_scale(b.largest_basic)::text`,
  largestAdvanced: sql`trim_scale(b.largest_advanced)::text`,
  firstByHand: sql`b.first_by_hand`,
  reviewPercent: sql`b.review_percent`,
  by: sql`b.by_account`,
  reason: sql`b.reason`,
  createdAt: sql`b.created_at`,
} as const satisfies Record<keyof AutoVersion, RawBuilder<unknown>>;

const versionColumns = sql.join(
  Object.entries(versionFields).map(([name, value]) => sql`${value} as ${sql.ref(name)}`),
);
/** The version `b` of a budget as JSON, with amounts as canonical text. */
export const versionJson = sql`json_build_object(${sql.join(
  Object.entries(versionFields).flatMap(([name, value]) => [sql.lit(name), value]),
)})`;

/** A coin whose row the transaction has locked. */
export interface LockedCoin {
  marketId: number;
  marketName: string;
  budgetId: number;
  budget: AutoVersion;
  /** On all platforms. */
  isStopped: boolean;
  updatedAt: number;
}

/** Locks a coin until the transaction ends; undefined if it never had a budget. */
export async function lockCoin(db: Db, marketId: number): Promise<LockedCoin | undefined> {
  // A statement of its own: the next one then reads the budget that is current once the lock is held.
  await sql`${prepared}select 1 from auto_coin where market_id = ${marketId} for no key update`.execute(db);
  const { rows } = await sql<LockedCoin>`${prepared}
    select c.market_id as "marketId", m.market_name as "marketName", c.budget_id as "budgetId", ${versionJson} as budget,
      c.stopped_at is not null as "isStopped", c.updated_at as "updatedAt"
    from auto_coin c join auto_budget b on b.id = c.budget_id join market m on m.id = c.market_id
    where c.market_id = ${marketId}`.execute(db);
  return rows[0];
}

const lastDecision = sql`(
  select json_build_object('withdrawId', d.withdraw_id, 'passed', d.passed, 'why', d.why, 'at', d.created_at)
  from (select w.id from withdraw w where w.market_id = c.market_id order by w.id desc limit ${RECENT_WITHDRAWS}) w
  join auto_decision d on d.withdraw_id = w.id order by w.id desc limit 1)`;

/** The coins with a budget. Needs full scope; names of operators outside the scope of the caller are left out by it. */
export async function fetchCoins(db: Db, now: number): Promise<AutoCoin[]> {
  const day = dayOf(now);
  const { rows } = await sql<StoredCoin & { platformCount: number }>`
    select c.market_id as "marketId", m.market_name as "marketName", b.enabled as "on",
      case when c.stopped_at is not null then json_build_object('at', c.stopped_at, 'why', c.stopped_why, 'by', o.account,
        'platforms', null) end as stopped, ${openCausesJson} as causes, (select count(*)::int from platform) as "platformCount",
      c.updated_at as "updatedAt", ${versionJson} as budget,
      json_build_object('day', ${day * DAY_MS}::bigint, 'amount', coalesce(trim_scale(s.amount), 0)::text,
        'count', coalesce(s.count, 0)) as spent,
      ${openAlarmCount} as "openAlarms",
      coalesce(r.count, 0) as "toReview",
      ${lastDecision} as "lastDecision"
    from auto_coin c join auto_budget b on b.id = c.budget_id join market m on m.id = c.market_id
    left join agent o on o.id = c.stopped_by
    left join (select w.market_id, count(*)::int as count from auto_decision d join withdraw w on w.id = d.withdraw_id
        where d.drawn and not exists (select from auto_review v where v.withdraw_id = d.withdraw_id)
        group by w.market_id) r on r.market_id = c.market_id
    left join auto_spent s on s.market_id = c.market_id and s.day = ${day} and s.kind = 'house' and s.ref_id = 0
    order by m.sort, m.id`.execute(db);
  return rows.map(({ platformCount, ...coin }) => ({ ...coin, stopped: coin.stopped ?? stopOf(coin, platformCount) }));
}

/** A coin with all that only full scope sees; `stopped` is the stop on all platforms. */
interface StoredCoin extends Omit<AutoCoin, 'causes'> {
  causes: AutoCause[];
}

/** The stop by open causes: since the first one, on their platforms. */
function stopOf({ causes }: StoredCoin, platformCount: number): AutoCoin['stopped'] {
  const [first] = causes;
  if (!first) return null;
  const names = new Map(causes.map(({ platform: { id, name } }) => [id, name]));
  return {
    at: first.at,
    why: first.why,
    by: null,
    platforms: names.size === platformCount ? null : [...names.values()],
  };
}

export async function fetchVersions(db: Db, marketId: number): Promise<AutoVersion[]> {
  const { rows } = await sql<AutoVersion>`
    select ${versionColumns} from auto_budget b where b.market_id = ${marketId} order by b.version desc`.execute(db);
  return rows;
}

/** The budget in force, also while it is off or the coin is stopped; undefined without one. */
export async function findBudget(db: Db, marketId: number): Promise<AutoVersion | undefined> {
  const { rows } = await sql<AutoVersion>`
    select ${versionColumns} from auto_coin c join auto_budget b on b.id = c.budget_id
    where c.market_id = ${marketId}`.execute(db);
  return rows[0];
}

export async function findMarketName(db: Db, marketId: number): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`select market_name as name from market where id = ${marketId}`.execute(
    db,
  );
  return rows[0]?.name;
}

/** Serializes changes of budgets, the first of a coin included, and waits for the decision that is under way. */
export async function lockBudgets(db: Db, marketId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${BUDGET_LOCK})`.execute(db);
  await lockCoin(db, marketId);
}

/** Inserts the next version of a budget and makes it the current one. The first one inserts the coin. */
export async function insertBudget(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  marketId: number,
  budget: AutoBudget,
  { by, reason }: { by: string; reason: string },
): Promise<void> {
  await sql`
    with added as (
      insert into auto_budget (market_id, version, enabled, day_amount, day_count, user_day_amount, largest_unverified,
        largest_basic, largest_advanced, first_by_hand, review_percent, by_account, reason, created_at)
      select ${marketId}::bigint, coalesce(max(version), 0) + 1, ${budget.on}::boolean, ${budget.dayAmount}::numeric,
        ${budget.dayCount}::int, ${budget.userDayAmount}::numeric, ${budget.largestUnverified}::numeric,
        ${budget.largestBasic}::numeric, ${budget.largestAdvanced}::numeric, ${budget.firstByHand}::boolean,
        ${budget.reviewPercent}::smallint, ${by}::text, ${reason}::text, ${now}::bigint
      from auto_budget where market_id = ${marketId}::bigint
      returning id
    )
    insert into auto_coin as c (market_id, budget_id, updated_at) select ${marketId}::bigint, id, ${now}::bigint from added
    on conflict (market_id) do update
      set budget_id = excluded.budget_id, updated_at = greatest(excluded.updated_at, c.updated_at + 1)`.execute(db);
}

/** Stops a coin on all platforms, unless it is. */
export async function stopCoin(db: Db, marketId: number, { by, now }: { by: number; now: number }): Promise<void> {
  await sql`
    update auto_coin set stopped_at = ${now}, stopped_why = 'operator', stopped_by = ${by},
      updated_at = greatest(${now}, updated_at + 1)
    where market_id = ${marketId} and stopped_at is null`.execute(db);
}

/** Ends the stop of a coin on all platforms, if there is one. What was read before is old afterwards. */
export async function startCoin(db: Db, marketId: number, now: number): Promise<void> {
  await sql`
    update auto_coin set stopped_at = null, stopped_why = null, stopped_by = null,
      updated_at = greatest(${now}, updated_at + 1)
    where market_id = ${marketId}`.execute(db);
}

/** The budgets of coins that are on. Stopped ones count: a start needs no new budget. */
export async function fetchBudgets(db: Db): Promise<{ marketId: number; budget: AutoVersion }[]> {
  const { rows } = await sql<{ marketId: number; budget: AutoVersion }>`
    select c.market_id as "marketId", ${versionJson} as budget
    from auto_coin c join auto_budget b on b.id = c.budget_id where b.enabled`.execute(db);
  return rows;
}

/** The coins that are on and that nobody has stopped on all platforms. */
export async function fetchRunning(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select c.market_id as id from auto_coin c join auto_budget b on b.id = c.budget_id
    where b.enabled and c.stopped_at is null order by c.market_id`.execute(db);
  return rows.map(({ id }) => id);
}

/** All coins that nobody has stopped, also those that are switched off: stopping means that nothing starts without a person. */
export async function fetchUnstopped(db: Db, marketId: number | undefined): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select market_id as id from auto_coin
    where stopped_at is null and (${marketId ?? null}::bigint is null or market_id = ${marketId ?? null}::bigint)
    order by market_id for no key update`.execute(db);
  return rows.map(({ id }) => id);
}
