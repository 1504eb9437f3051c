import { sql } from 'kysely';
import { type Db, prepared } from '../../database/connect.ts';
import { type AccountKey, type LockedAccount, textOf, unnestArguments } from './account.ts';

/**
 * Locks accounts in the order of their ids. Missing accounts are created first, while no account is locked, so that
 * concurrent transfers on new accounts cannot deadlock. Accounts of deleted users are left out of the result.
 */
export async function lockAccounts(db: Db, keys: readonly AccountKey[], now: number): Promise<LockedAccount[]> {
  const distinct = [...new Map(keys.map((key) => [textOf(key), key])).values()];
  if (distinct.length === 0) return [];
  const found = await selectForUpdate(db, distinct);
  if (found.length === distinct.length) return found;
  await openAccounts(db, distinct, now);
  return selectForUpdate(db, distinct, false);
}

/** @param allOrNone locks no account if one is missing */
async function selectForUpdate(db: Db, keys: readonly AccountKey[], allOrNone = true): Promise<LockedAccount[]> {
  const { rows } = await sql<LockedAccount>`${prepared}
    with wanted as (
      select a.id from unnest(${unnestArguments(keys)}) as k(owner, owner_id, market_id, platform, bucket)
      join account a on a.owner = k.owner and a.owner_id = k.owner_id and a.market_id = k.market_id
        and a.platform = k.platform and a.bucket = k.bucket
    )
    select a.id, a.owner, a.owner_id as "ownerId", a.user_id as "userId", a.agent_id as "agentId",
      a.market_id as "marketId", a.platform, a.bucket, a.balance
    from wanted join account a on a.id = wanted.id
    where not ${allOrNone}::boolean or (select count(*) from wanted) = ${keys.length} order by a.id for update of a`.execute(
    db,
  );
  return rows;
}

/**
 * Creates missing accounts in a fixed order. The users are locked before any account is written. An account gets the
 * current agent of its user, who may have moved since the caller read it; a deleted user gets no account, and so does a
 * pair of coins.
 */
async function openAccounts(db: Db, keys: readonly AccountKey[], now: number): Promise<void> {
  const sorted = keys.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
  await sql`${prepared}
    with missing as (
      select k.* from unnest(${unnestArguments(sorted)}) with ordinality as k(owner, owner_id, market_id, platform, bucket, n)
      where not exists (select from account a where a.owner = k.owner and a.owner_id = k.owner_id
        and a.market_id = k.market_id and a.platform = k.platform and a.bucket = k.bucket)
    ),
    held as (
      select u.id, u.agent_id from users u
      where u.id in (select m.owner_id from missing m where m.owner = 'user') and u.deleted_at is null
      order by u.id for key share
    )
    insert into account (owner, owner_id, user_id, agent_id, market_id, platform, bucket, created_at)
    select m.owner, m.owner_id, u.id, u.agent_id, m.market_id, m.platform, m.bucket, ${now}::bigint
    from missing m join market k on k.id = m.market_id and k.base_id is null
    left join held u on u.id = m.owner_id and m.owner = 'user'
    where m.owner <> 'user' or u.id is not null order by m.n
    on conflict (owner, owner_id, market_id, platform, bucket) do nothing`.execute(db);
}
