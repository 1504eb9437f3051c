import { type RawBuilder, sql } from 'kysely';
import { agentBits } from './agent-bits.ts';
import type { Scope } from './connect.ts';

/**
 * Condition that an agent column is in the scope. Every statement on owned rows contains it; row-level security enforces
 * the same rule again.
 *
 * @param column a qualified column name, a constant of the code and never input
 */
export function inScope(scope: Scope, column: string): RawBuilder<boolean> {
  if (scope.kind === 'all') return sql<boolean>`true`;
  return sql<boolean>`${sql.ref(column)} = any(${[...scope.ids]}::bigint[])`;
}

/** Above this many ids, planning `= any(…)` costs more than evaluating a bitmap. */
const ARRAY_MAX = 100;

/**
 * Condition that an agent column is one of these ids. The planner estimates each array element from the column's
 * statistics, which for thousands of elements takes longer than the statement; longer lists use a bitmap.
 */
export const isAmong = (column: RawBuilder<unknown>, ids: readonly number[]): RawBuilder<boolean> =>
  ids.length > ARRAY_MAX ? hasBit(column, ids) : sql<boolean>`${column} = any(${[...ids]}::bigint[])`;

/**
 * The same condition by a bitmap of any size, for statements with a cached plan. Written as `<> 0`, because the planner
 * estimates `= 1` to be rare.
 */
export function hasBit(column: RawBuilder<unknown>, ids: readonly number[]): RawBuilder<boolean> {
  const { hex, lastBit } = agentBits(ids);
  return sql<boolean>`(get_bit(${hex}::bytea, least(greatest(${column}, 0), ${lastBit}::bigint)) <> 0)`;
}

/**
 * Hides the array from the planner so that the cost estimate is constant and PostgreSQL keeps its cached generic
 * plan.
 */
export const opaqueArray = (values: readonly number[]): RawBuilder<unknown> =>
  sql`(select ${[...values]}::bigint[])::bigint[]`;

/** As `inScope`, for lists that find their rows by another index and check the agent of each row. */
export const inListScope = (scope: Scope, column: string): RawBuilder<boolean> =>
  scope.kind === 'all' ? sql<boolean>`true` : isAmong(sql.ref(column), scope.ids);

/** As `inScope`, for rows that are found one by one: the bitmap keeps the planner from beginning with the agents. */
export const isVisible = (scope: Scope, column: string): RawBuilder<boolean> =>
  scope.kind === 'all' ? sql<boolean>`true` : hasBit(sql.ref(column), scope.ids);

/**
 * As `inScope`, for immutable rows that follow their user to another agent: rows with a user are checked by the user's
 * current agent, rows without by their own.
 */
export function isUserInScope(scope: Scope, userColumn: string, agentColumn: string): RawBuilder<boolean> {
  if (scope.kind === 'all') return sql<boolean>`true`;
  return sql<boolean>`case when ${sql.ref(userColumn)} is null then ${inScope(scope, agentColumn)}
    else ${sql.ref(userColumn)} in (select owner.id from users owner where ${inScope(scope, 'owner.agent_id')}) end`;
}

/**
 * Selects an operator's account, or null if the operator is outside the scope.
 *
 * @param column a qualified column of an account, a constant of the code
 */
export function namedInScope(scope: Scope, column: string): RawBuilder<unknown> {
  if (scope.kind === 'all') return sql.ref(column);
  return sql`(select o.account from agent o where o.account_key = lower(${sql.ref(column)}) and ${isVisible(scope, 'o.id')} limit 1)`;
}

/**
 * Condition that the operator manages the price protection of a market: any market with full scope, else granted ones.
 *
 * @param column a qualified column of a market id, a constant of the code
 */
export function isMarketGranted(scope: Scope, operatorId: number, column: string): RawBuilder<boolean> {
  if (scope.kind === 'all') return sql<boolean>`true`;
  return sql<boolean>`${sql.ref(column)} in (select granted.market_id from plan_grant granted
    where granted.operator_id = ${operatorId})`;
}
