import type { KycDetail, KycFind, KycFound, KycRow } from '@hengtai/contract/risk/kyc/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { lastRows } from '../../../books/lists/list.ts';
import { withFullScope } from '../../../database/connect.ts';
import { inScope } from '../../../database/scope.ts';
import { identityKey, nameKey } from './identity-key.rules.ts';
import { hasUnkeyed } from './identity-key.store.ts';
import { type KycRecord, maskRow, sourceFor } from './kyc.store.ts';

/** Submissions in the operator's scope with a name, a document number or both, masked and newest first, and their total. */
export async function findByIdentity(ctx: Ctx, { name, idNumber }: KycFind, limit: number): Promise<KycFound> {
  const { rows } = await sql<{ id: number; total: number }>`
    select id, total from find_identities(${name === undefined ? null : nameKey(name)},
      ${idNumber === undefined ? null : identityKey(idNumber)}, ${limit})`.execute(ctx.db);
  const ids = rows.map(({ id }) => id);
  const list = await lastRows<KycRow>(ctx.db, sourceFor(ctx), sql<boolean>`a.id = any(${ids}::bigint[])`, limit);
  return { list: list.map(maskRow), total: rows[0]?.total ?? 0, keying: await hasUnkeyed(ctx.db) };
}

/** Other users in the operator's scope with the same document number, each with its last submission that has it. */
export async function findSameNumber(
  ctx: Ctx,
  { idNumber, userId }: KycRecord,
  limit: number,
): Promise<Omit<KycDetail['same'], 'outside'>> {
  const { rows } = await sql<KycDetail['same']['list'][number] & { users: number }>`
    select s.*, count(*) over () as users from (
      select distinct on (a.user_id) a.user_id as "userId", u.account, u.state, a.id as "authId", a.state as "authState",
        a.created_at as "createdAt"
      from auth a join users u on u.id = a.user_id
      where ${hasNumber(idNumber)} and a.user_id <> ${userId}
        and ${inScope(ctx.scope, 'a.agent_id')}
      order by a.user_id, a.id desc
    ) s order by "createdAt" desc, "authId" desc limit ${limit}`.execute(ctx.db);
  return { users: rows[0]?.users ?? 0, list: rows.map(({ users: _users, ...row }) => row) };
}

/**
 * Whether a user outside the operator's scope submitted the same document number. The only answer that looks beyond the scope
 * (docs/threat-model.md): neither who nor how many.
 *
 * @param visible how many other users of the scope did
 */
export async function isSubmittedOutside(ctx: Ctx, { idNumber, userId }: KycRecord, visible: number): Promise<boolean> {
  return withFullScope(ctx.db, async () => {
    const { rows } = await sql<{ found: boolean }>`
      select count(distinct a.user_id) > ${visible}::bigint as found from auth a
      where ${hasNumber(idNumber)} and a.user_id <> ${userId}`.execute(ctx.db);
    return rows[0]?.found === true;
  });
}

/** Condition that a submission has the number. One without a key yet is compared by the key that the database made. */
function hasNumber(idNumber: string): RawBuilder<boolean> {
  const key = identityKey(idNumber);
  if (key === '') return sql<boolean>`false`;
  return sql<boolean>`(a.number_key = ${key} or a.number_key is null and a.id_key = ${key})`;
}
