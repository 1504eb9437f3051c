import { SUPPORT_URL } from '@hengtai/contract/desk/config/calls';
import type { Redeemed } from '@hengtai/contract/gateway/schema';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { holdsKey } from '../../../gateway/gateway-key.store.ts';
import type { PlatformScope } from '../../../gateway/platform-scope.ts';
import type { Db } from '../../../database/connect.ts';
import { inScope } from '../../../database/scope.ts';

/** Stores the hash of a link's token; false if the user is deleted or outside the operator's scope. */
export async function insertLink(
  ctx: Ctx,
  link: { userId: number; hash: string; expiresAt: number },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into support_link (hash, user_id, agent_id, operator_id, created_at, expires_at)
    select ${link.hash}, u.id, u.agent_id, ${ctx.operator.id}, ${ctx.now}, ${link.expiresAt} from users u
    where u.id = ${link.userId} and u.deleted_at is null and ${inScope(ctx.scope, 'u.agent_id')} for key share`.execute(
    ctx.db,
  );
  return numAffectedRows === 1n;
}

export async function fetchSupportUrl(db: Db): Promise<string> {
  const { rows } = await sql<{ str: string }>`select str from config where key = ${SUPPORT_URL}`.execute(db);
  return rows[0]?.str.trim() ?? '';
}

/** The user that a link opened and the operator who created the link. */
export interface UsedLink extends Redeemed {
  userId: number;
  agentId: number;
  operatorId: number;
}

export interface LinkUse {
  hash: string;
  /** The ability that is needed to create a link. */
  ability: number;
  now: number;
}

/**
 * Marks a link as used; undefined if it is used, expired, unknown, or about a user of another platform. The operator who
 * created it must still be enabled, hold the ability and have the user in its scope.
 */
export async function useLink(
  db: Db,
  scope: PlatformScope,
  { hash, ability, now }: LinkUse,
): Promise<UsedLink | undefined> {
  const { rows } = await sql<UsedLink>`
    update support_link l set used_at = ${now}
    from users u, agent o
    where l.hash = ${hash} and l.used_at is null and l.expires_at > ${now}
      and u.id = l.user_id and u.deleted_at is null and u.platform_id = ${scope.id} and ${holdsKey(scope)}
      and o.id = l.operator_id and o.state = 1 and o.deleted_at is null
      and (o.parent_id is null or (${ability} = any(o.abilities) and (13 = any(o.abilities)
        or exists (select from closure c where c.ancestor = o.id and c.descendant = u.agent_id))))
    returning u.account, true as "readOnly", o.account as operator, l.created_at as at, u.id as "userId",
      u.agent_id as "agentId", o.id as "operatorId"`.execute(db);
  return rows[0];
}
