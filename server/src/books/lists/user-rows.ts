import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../app/context.ts';
import { inScope } from '../../database/scope.ts';
import { lastRows } from './list.ts';
import type { ListSource } from './source.ts';

/**
 * The part of a list's source that all tables of users' rows with a market and a number of the platform share. It joins the user
 * as `u`, the agent as `g` and the market as `m`.
 *
 * @param table name of the table, a constant of the code
 * @param x its alias
 */
export function userRows(table: string, x: string) {
  const from: RawBuilder<unknown> = sql`${sql.raw(`${table} ${x}`)}
  left join users u on u.id = ${sql.ref(`${x}.user_id`)}
  left join agent g on g.id = ${sql.ref(`${x}.agent_id`)}
  left join market m on m.id = ${sql.ref(`${x}.market_id`)}`;
  const filters = {
    account: 'u.account_key',
    agent: `${x}.agent_id`,
    agentRoot: `${x}.agent_id`,
    state: `${x}.state`,
    id: `${x}.id`,
    marketId: `${x}.market_id`,
    userId: `${x}.user_id`,
    no: `${x}.no`,
  };
  return { from, id: `${x}.id`, createdAt: `${x}.created_at`, filters } satisfies Partial<ListSource>;
}

/** Fetches the latest rows of one user within the operator's scope. `x` is the alias of the table in `source`. */
export const lastOfUser =
  <Row>(source: ListSource, x: string) =>
  ({ db, scope }: Pick<Ctx, 'db' | 'scope'>, userId: number, limit: number): Promise<Row[]> => {
    const where = inScope(scope, `${x}.agent_id`);
    return lastRows<Row>(db, { ...source, where }, sql<boolean>`${sql.ref(`${x}.user_id`)} = ${userId}`, limit);
  };
