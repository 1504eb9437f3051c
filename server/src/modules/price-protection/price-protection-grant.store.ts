import { sql } from 'kysely';
import type { Ctx } from '../../core/context.ts';

/** Accounts of the agents with access to the price protection of a market. */
export async function findGrantedAgents(ctx: Pick<Ctx, 'db'>, marketId: number): Promise<string[]> {
  const { rows } = await sql<{ account: string }>`
    select a.account from plan_grant g join agent a on a.id = g.operator_id
    where g.market_id = ${marketId} and a.deleted_at is null order by a.account_key`.execute(ctx.db);
  return rows.map(({ account }) => account);
}

/** Finds agents by account, ignoring case and omitting the top-level admin, and locks them against deletion. */
export async function findAgents(
  ctx: Pick<Ctx, 'db'>,
  accounts: readonly string[],
): Promise<{ id: number; accountKey: string }[]> {
  const { rows } = await sql<{ id: number; accountKey: string }>`
    select id, account_key as "accountKey" from agent
    where account_key = any(${accounts.map((account) => account.toLowerCase())}::text[]) and deleted_at is null
      and parent_id is not null for key share`.execute(ctx.db);
  return rows;
}

/** Replaces the agents with access to the price protection of a market. */
export async function saveGrants(
  ctx: Pick<Ctx, 'db' | 'now' | 'operator'>,
  marketId: number,
  operatorIds: readonly number[],
): Promise<void> {
  const ids = [...operatorIds];
  await sql`delete from plan_grant where market_id = ${marketId} and operator_id <> all(${ids}::bigint[])`.execute(
    ctx.db,
  );
  await sql`insert into plan_grant (market_id, operator_id, granted_by, granted_at)
    select ${marketId}, id, ${ctx.operator.account}, ${ctx.now} from unnest(${ids}::bigint[]) id
    on conflict (market_id, operator_id) do nothing`.execute(ctx.db);
}
