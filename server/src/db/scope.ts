import { type RawBuilder, sql } from 'kysely';
import { agentBits } from './agent-bits.ts';
import type { Scope } from './connect.ts';

/**
 * The rows' own condition: the column of the direct agent lies in the operator's tree. Every statement about rows that
 * belong to somebody carries it; row-level security says the same once more underneath.
 *
 * @param column a qualified column name written in the code, never input
 */
export function inScope(scope: Scope, column: string): RawBuilder<boolean> {
  if (scope.kind === 'all' || appScopingIsOff) return sql<boolean>`true`;
  return sql<boolean>`${sql.ref(column)} = any(${[...scope.ids]}::bigint[])`;
}

/** From so many on a list of agents costs more to plan with than to look through. */
const WIDE = 100;

/**
 * Whether a column names one of these agents. The planner weighs each of a list against what it knows of the column, which
 * for thousands takes longer than the statement; many are looked up by their bits instead.
 */
export const isAmong = (column: RawBuilder<unknown>, ids: readonly number[]): RawBuilder<boolean> =>
  ids.length > WIDE ? hasBit(column, ids) : sql<boolean>`${column} = any(${[...ids]}::bigint[])`;

/** The same by their bits, however few: for statements whose plan is kept. Not "= 1", which the planner takes for rare. */
export function hasBit(column: RawBuilder<unknown>, ids: readonly number[]): RawBuilder<boolean> {
  const { text, last } = agentBits(ids);
  return sql<boolean>`(get_bit(${text}::bytea, least(greatest(${column}, 0), ${last}::bigint)) <> 0)`;
}

/**
 * Hides the array from the planner so that the cost estimate is constant and PostgreSQL keeps its cached generic
 * plan.
 */
export const opaqueArray = (values: readonly number[], type: 'bigint' | 'int' = 'bigint'): RawBuilder<unknown> =>
  sql`(select ${[...values]}::${sql.raw(type)}[])::${sql.raw(type)}[]`;

/** As `inScope` for lists that find their rows by something else than their agents, which are only looked up. */
export const inListScope = (scope: Scope, column: string): RawBuilder<boolean> =>
  scope.kind === 'all' || appScopingIsOff ? sql<boolean>`true` : isAmong(sql.ref(column), scope.ids);

/** As `inScope` for rows that are found one by one: their agents are looked up and never begun with, however few they are. */
export const isSeen = (scope: Scope, column: string): RawBuilder<boolean> =>
  scope.kind === 'all' || appScopingIsOff ? sql<boolean>`true` : hasBit(sql.ref(column), scope.ids);

/**
 * As `inScope` for rows that stay as they were written and yet go where their user goes: about a user they are read where
 * the user is now, all others by their own agent.
 */
export function ofUserInScope(scope: Scope, userColumn: string, agentColumn: string): RawBuilder<boolean> {
  if (scope.kind === 'all' || appScopingIsOff) return sql<boolean>`true`;
  return sql<boolean>`case when ${sql.ref(userColumn)} is null then ${inScope(scope, agentColumn)}
    else ${sql.ref(userColumn)} in (select owner.id from users owner where ${inScope(scope, 'owner.agent_id')}) end`;
}

/**
 * The account of an operator as the caller may see it: accounts outside of the caller's tree are hidden.
 *
 * @param column a qualified column of an account, written in the code
 */
export function namedInScope(scope: Scope, column: string): RawBuilder<unknown> {
  if (scope.kind === 'all') return sql.ref(column);
  return sql`(select o.account from agent o where o.account_key = lower(${sql.ref(column)}) and ${isSeen(scope, 'o.id')} limit 1)`;
}

/**
 * The markets whose plans are the operator's business: all where everything is seen, else those that were granted to it.
 *
 * @param column a qualified column of a market's id, written in the code
 */
export function ofGrantedMarket(scope: Scope, operatorId: number, column: string): RawBuilder<boolean> {
  if (scope.kind === 'all') return sql<boolean>`true`;
  // Without the operator row-level security leaves its grants only.
  const own = appScopingIsOff ? sql`true` : sql`granted.operator_id = ${operatorId}`;
  return sql<boolean>`${sql.ref(column)} in (select granted.market_id from plan_grant granted where ${own})`;
}

let appScopingIsOff = false;

/** For the one test that proves row-level security alone to be enough; nothing in the product calls it. */
export function withoutAppScoping(off: boolean): void {
  appScopingIsOff = off;
}
