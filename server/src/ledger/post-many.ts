import { sql } from 'kysely';
import { type Db, prepared } from '../db/connect.ts';
import { type AccountKey, type LockedAccount, keyOf, unnestArguments, textOf } from './account.ts';
import { AccountClosed, type Leg, type TransferHead } from './post.ts';

/** One transfer of a batch. */
export interface Transfer {
  head: Omit<TransferHead, 'now'>;
  legs: readonly Leg[];
}

/**
 * Posts many transfers in order in one statement, with the guarantees of `post`: accounts are locked in a global order,
 * and each entry has the balance after it.
 *
 * @param known ids of accounts that this transaction has already locked, by `textOf`
 * @throws AccountClosed if a transfer credits a deleted user
 * @throws DatabaseError if a user's balance would be negative after any of the transfers; nothing is posted
 */
export async function postMany(
  db: Db,
  now: number,
  all: readonly Transfer[],
  known: ReadonlyMap<string, number> = new Map(),
): Promise<void> {
  const lines = all.flatMap(({ legs }, n) =>
    legs.map((leg) => ({ n, leg, from: keyOf(leg.debit), to: keyOf(leg.credit) })),
  );
  if (lines.length === 0) return;
  const keys = lines.flatMap(({ from, to }) => [from, to]).filter((key) => !known.has(textOf(key)));
  const locked = new Map((await lockMany(db, keys, now)).map((account) => [textOf(account), account.id]));
  const idOf = (key: AccountKey): number => {
    const id = known.get(textOf(key)) ?? locked.get(textOf(key));
    if (id === undefined) throw new AccountClosed(`no account ${textOf(key)}`);
    return id;
  };
  const heads = all.map(({ head }) => head);
  await sql`${prepared}
    with head as (
      select h.*, nextval(pg_get_serial_sequence('transfer', 'id')) as id
      from unnest(${heads.map(({ refType }) => refType)}::text[], ${heads.map(({ refId }) => refId)}::bigint[],
        ${heads.map(({ remark }) => remark ?? '')}::text[], ${heads.map(({ operatorId }) => operatorId ?? null)}::bigint[],
        ${heads.map(({ reverses }) => reverses ?? null)}::bigint[], ${heads.map(({ at }) => at)}::bigint[])
        with ordinality as h(ref_type, ref_id, remark, operator_id, reverses, at, n)
    ),
    leg_in as (
      select l.*, nextval('leg_id') as leg_id
      from unnest(${lines.map(({ n }) => n + 1)}::bigint[], ${lines.map(({ from }) => idOf(from))}::bigint[],
        ${lines.map(({ to }) => idOf(to))}::bigint[], ${lines.map(({ leg }) => leg.amount)}::numeric[],
        ${lines.map(({ leg }) => leg.debitType)}::int[], ${lines.map(({ leg }) => leg.creditType)}::int[])
        with ordinality as l(head, debit_id, credit_id, amount, debit_type, credit_type, n)
    ),
    line as (
      select n, head, leg_id, -1 as side, debit_id as account_id, -amount as amount, debit_type as type from leg_in
      union all
      select n, head, leg_id, 1, credit_id, amount, credit_type from leg_in
    ),
    posted as (
      insert into transfer (id, ref_type, ref_id, operator_id, reverses, created_at, recorded_at) overriding system value
      select id, ref_type, ref_id, operator_id, reverses, at, ${now}::bigint from head
    ),
    -- Ids are assigned here and not by "returning", because row-level security hides the house's entries from the caller.
    numbered as (
      select nextval(pg_get_serial_sequence('entry', 'id')) as id, r.*
      from (
        select line.n, line.leg_id, line.side, line.type, line.amount, h.id as transfer_id, h.ref_type, h.ref_id,
          h.remark, h.operator_id, h.at as created_at, a.id as account_id, a.market_id, a.user_id, a.agent_id, a.platform,
          a.bucket, a.balance + sum(line.amount) over (partition by a.id order by line.n, line.side) as balance
        from line join account a on a.id = line.account_id join head h on h.n = line.head order by line.n, line.side
      ) r
    ),
    written as (
      insert into entry (id, transfer_id, leg_id, side, account_id, market_id, user_id, agent_id, platform, bucket, type,
        amount, balance, ref_type, ref_id, remark, operator_id, created_at, recorded_at)
      select id, transfer_id, leg_id, side, account_id, market_id, user_id, agent_id, platform, bucket, type, amount,
        balance, ref_type, ref_id, remark, operator_id, created_at, ${now}::bigint
      from numbered
    ),
    joined as (
      insert into leg (id, transfer_id, market_id, amount)
      select leg_in.leg_id, h.id, a.market_id, leg_in.amount
      from leg_in join account a on a.id = leg_in.debit_id join head h on h.n = leg_in.head
    )
    update account a set balance = a.balance + d.amount
    from (select account_id, sum(amount) as amount from line group by account_id) d where a.id = d.account_id`.execute(
    db,
  );
}

/**
 * Locks the accounts in the order of their ids. Missing accounts are created first, while no account is locked. Accounts
 * of deleted users are left out of the result.
 */
export async function lockMany(db: Db, keys: readonly AccountKey[], now: number): Promise<LockedAccount[]> {
  const distinct = [...new Map(keys.map((key) => [textOf(key), key])).values()];
  if (distinct.length === 0) return [];
  const found = await selectForUpdate(db, distinct);
  if (found.length === distinct.length) return found;
  await openMany(db, distinct, now);
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
 * As `openAccount`, for many accounts in a fixed order. The users are locked before any account is written. An account
 * gets the current agent of its user; a deleted user gets no account.
 */
async function openMany(db: Db, keys: readonly AccountKey[], now: number): Promise<void> {
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
    from missing m left join held u on u.id = m.owner_id and m.owner = 'user'
    where m.owner <> 'user' or u.id is not null order by m.n
    on conflict (owner, owner_id, market_id, platform, bucket) do nothing`.execute(db);
}
