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
 * @param alias alias of the table
 */
export function userRows(table: string, alias: string) {
  const from: RawBuilder<unknown> = sql`${sql.raw(`${table} ${alias}`)}
  left join users u on u.id = ${sql.ref(`${alias}.user_id`)}
  left join agent g on g.id = ${sql.ref(`${alias}.agent_id`)}
  left join market m on m.id = ${sql.ref(`${alias}.market_id`)}`;
  const filters = {
    account: 'u.account_key',
    agent: `${alias}.agent_id`,
    agentRoot: `${alias}.agent_id`,
    state: `${alias}.state`,
    id: `${alias}.id`,
    marketId: `${alias}.market_id`,
    userId: `${alias}.user_id`,
    no: `${alias}.no`,
  };
  return { from, id: `${alias}.id`, createdAt: `${alias}.created_at`, filters } satisfies Partial<ListSource>;
}

/** Fetches the latest rows of one user within the operator's scope. `alias` is that of the table in `source`. */
export const lastOfUser =
  <Row>(source: ListSource, alias: string) =>
  ({ db, scope }: Pick<Ctx, 'db' | 'scope'>, userId: number, limit: number): Promise<Row[]> => {
    const where = inScope(scope, `${alias}.agent_id`);
    return lastRows<Row>(db, { ...source, where }, sql<boolean>`${sql.ref(`${alias}.user_id`)} = ${userId}`, limit);
  };
