import type { PriceProtectionPermission } from '@hengtai/contract/risk/price-protection/schema';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';

/** Accounts of the agents with access to the price protection of a market, and the version of this list. */
export type Grants = Pick<PriceProtectionPermission, 'agent' | 'version'>;

export async function findGrants(ctx: Pick<Ctx, 'db'>, marketId: number): Promise<Grants> {
  const { rows } = await sql<Grants>`
    select m.grant_version as version, array(select a.account from plan_grant g join agent a on a.id = g.operator_id
      where g.market_id = m.id and a.deleted_at is null order by a.account_key) as agent
    from market m where m.id = ${marketId}`.execute(ctx.db);
  return rows[0] ?? { agent: [], version: 0 };
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

/** Replaces the agents with access to the price protection of a market; false if somebody else did since `version`. */
export async function saveGrants(
  ctx: Pick<Ctx, 'db' | 'now' | 'operator'>,
  marketId: number,
  operatorIds: readonly number[],
  version: number,
): Promise<boolean> {
  const ids = [...operatorIds];
  const { rows } = await sql`
    update market set grant_version = grant_version + 1 where id = ${marketId} and grant_version = ${version}
    returning 1`.execute(ctx.db);
  if (rows.length === 0) return false;
  await sql`delete from plan_grant where market_id = ${marketId} and operator_id <> all(${ids}::bigint[])`.execute(
    ctx.db,
  );
  await sql`insert into plan_grant (market_id, operator_id, granted_by, granted_at)
    select ${marketId}, id, ${ctx.operator.account}, ${ctx.now} from unnest(${ids}::bigint[]) id
    on conflict (market_id, operator_id) do nothing`.execute(ctx.db);
  return true;
}
