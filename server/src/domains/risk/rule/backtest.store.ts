import { MS_MAX } from '@hengtai/contract/wire/list';
import type { BacktestResult, RuleContent } from '@hengtai/contract/risk/rule/schema';
import { type RawBuilder, sql } from 'kysely';
import { boundsOfReportDay, reportDayOf } from '../../../books/lists/report-day.ts';
import type { Db } from '../../../database/connect.ts';
import { conjunctionSql, hitSql } from './condition.store.ts';

/** Key of the advisory lock of backtests: one runs at a time. */
const BACKTEST_LOCK = 5_300_033;
const BACKTEST_TIMEOUT_MS = 30_000;
export const NEWEST_HITS = 20;
/** Reviews whose median time is taken. */
const REVIEWS = 1_000;

/** A rule, or conditions without a rule, in a backtest. */
export interface TestedRule extends Pick<RuleContent, 'conditions' | 'unknownHits'> {
  /** Absent for conditions without a rule. */
  id?: number;
}

/** Unix milliseconds, both inclusive. */
export interface Period {
  from: number | undefined;
  to: number | undefined;
}

/** @returns false if a backtest is running; else the lock is held until the transaction ends */
export async function lockBacktest(db: Db): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${BACKTEST_LOCK}) as locked`.execute(
    db,
  );
  return rows[0]?.locked ?? false;
}

/** Sets the timeout of each statement of the transaction. */
export async function setBacktestTimeout(db: Db): Promise<void> {
  await sql`select set_config('statement_timeout', ${String(BACKTEST_TIMEOUT_MS)}, true)`.execute(db);
}

const inPeriod = ({ from, to }: Period): RawBuilder<boolean> =>
  sql`f.created_at between ${from ?? 0}::bigint and ${to ?? MS_MAX}::bigint`;

const anyOf = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<boolean> =>
  sql`(${sql.join([...conditions], sql` or `)})`;
const isHit = (rules: readonly TestedRule[]): RawBuilder<boolean> => anyOf(rules.map(hitSql));
const isKnownHit = (rules: readonly TestedRule[]): RawBuilder<boolean> =>
  anyOf(rules.map((rule) => sql`${conjunctionSql(rule)} is true`));

/** Counts the withdrawals of a period that have facts. `complete`: no withdrawal of any period lacks them. */
export async function countTested(db: Db, period: Period): Promise<{ total: number; complete: boolean }> {
  const { rows } = await sql<{ total: number; complete: boolean }>`
    select (select count(*) from withdraw_fact f where ${inPeriod(period)}) as total,
      not exists (select from withdraw w join fact_backfill b on w.id > b.reached
        where not exists (select from withdraw_fact f where f.withdraw_id = w.id)) as complete`.execute(db);
  return rows[0] ?? { total: 0, complete: true };
}

/** The hits of one day with one present state of the withdrawal. */
export interface HitGroup {
  /** Start of the day in the zone of the reports, unix milliseconds. */
  day: number;
  state: number;
  hits: number;
  unknown: number;
  /** Amount of the hits whose value is known. */
  amountUsdt: string;
  unpriced: number;
  /** Hits of each rule, in their order. */
  rules: number[];
}

/**
 * Counts the hits in one scan of the facts. Groups of 15 minutes never span midnight in any time zone, so that only groups
 * and not rows are assigned to days.
 */
export async function countHits(db: Db, rules: readonly TestedRule[], period: Period): Promise<HitGroup[]> {
  const column = (index: number) => sql.ref(`r${index}`);
  const { rows } = await sql<HitGroup>`
    with part as (
      select f.created_at / 900000 as quarter, w.state, count(*) as hits, count(*) filter (where ${isKnownHit(rules)}) as known,
        sum(f.amount_usdt) as amount_usdt, count(*) filter (where f.amount_usdt is null) as unpriced,
        ${sql.join(rules.map((rule, index) => sql`count(*) filter (where ${hitSql(rule)}) as ${column(index)}`))}
      from withdraw_fact f join withdraw w on w.id = f.withdraw_id
      where ${inPeriod(period)} and ${isHit(rules)} group by 1, 2
    )
    select (select b.start from ${boundsOfReportDay(sql.ref('d.day'))} b) as day, d.state, sum(d.hits)::bigint as hits,
      sum(d.hits - d.known)::bigint as unknown, coalesce(sum(d.amount_usdt), 0) as "amountUsdt",
      sum(d.unpriced)::bigint as unpriced,
      array[${sql.join(rules.map((_rule, index) => sql`sum(d.${column(index)})::bigint`))}] as rules
    from (select p.*, ${reportDayOf(sql`(p.quarter * 900000)`)} as day from part p) d
    group by d.day, d.state order by 1, 2`.execute(db);
  return rows;
}

/** The newest hits within a period and some ranges of days, at most `NEWEST_HITS`. */
export async function fetchNewestHits(
  db: Db,
  rules: readonly TestedRule[],
  period: Period,
  days: readonly { from: number; to: number }[],
): Promise<BacktestResult['newest']> {
  const { rows } = await sql<BacktestResult['newest'][number]>`
    select w.id, w.user_id as "userId", u.account, m.market_name as "marketName", w.amount, w.valuation, w.state,
      w.created_at as "createdAt"
    from unnest(${days.map(({ from }) => from)}::bigint[], ${days.map(({ to }) => to)}::bigint[]) d(first, next)
    join withdraw_fact f on f.created_at >= d.first and f.created_at < d.next
    join withdraw w on w.id = f.withdraw_id join users u on u.id = w.user_id join market m on m.id = w.market_id
    where ${inPeriod(period)} and ${isHit(rules)} order by f.withdraw_id desc limit ${NEWEST_HITS}`.execute(db);
  return rows;
}

/** Median of the time from request to decision of the last reviews, in milliseconds; null without one. */
export async function findReviewTime(db: Db): Promise<number | null> {
  const { rows } = await sql<{ median: number | null }>`
    select percentile_disc(0.5) within group (order by r.took) as median
    from (select w.reviewed_at - w.created_at as took from withdraw w where w.reviewed_at >= w.created_at
      order by w.id desc limit ${REVIEWS}) r`.execute(db);
  return rows[0]?.median ?? null;
}
