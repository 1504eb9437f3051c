import { sql } from 'kysely';
import { type Db, prepared } from '../db/connect.ts';
import { flowsInsert } from '../db/fund-day.ts';
import { countsNew, imageOf, rolled } from '../db/rollup.ts';
import { type AccountKey, type LockedAccount, keyOf, keysOfMany, textOf } from './account.ts';
import { AccountClosed, type Leg, type TransferHead, movesBetween } from './post.ts';

/** One of many transfers that are posted together. */
export interface Transfer {
  head: Omit<TransferHead, 'now'>;
  legs: readonly Leg[];
}

/**
 * Posts many transfers in one statement, one behind the other, with what `post` promises of each: accounts locked in one
 * global order, legs and entries with the balance after each, counted for the lists.
 *
 * @param known the ids of accounts that this transaction has locked already, by their names (`textOf`)
 * @throws AccountClosed when a user that it would give something to is deleted
 * @throws DatabaseError when a user's account would go below zero, be it in between: nothing of all this was posted
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
        ${lines.map(({ leg }) => leg.debitType)}::int[], ${lines.map(({ leg }) => leg.creditType)}::int[],
        ${lines.map(({ leg }) => movesBetween(leg))}::boolean[])
        with ordinality as l(head, debit_id, credit_id, amount, debit_type, credit_type, flows, n)
    ),
    line as (
      select n, head, leg_id, -1 as side, debit_id as account_id, -amount as amount, debit_type as type, flows from leg_in
      union all
      select n, head, leg_id, 1, credit_id, amount, credit_type, flows from leg_in
    ),
    posted as (
      insert into transfer (id, ref_type, ref_id, operator_id, reverses, created_at, recorded_at) overriding system value
      select id, ref_type, ref_id, operator_id, reverses, at, ${now}::bigint from head
    ),
    -- Numbered here and not by "returning": who posts may write the house's entries, but not read them.
    numbered as (
      select nextval(pg_get_serial_sequence('entry', 'id')) as id, r.*
      from (
        select line.n, line.leg_id, line.side, line.type, line.amount, line.flows, h.id as transfer_id, h.ref_type, h.ref_id,
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
    -- Nobody has looked through an entry that is only being written.
    image as (select ${imageOf(rolled.fund)} from numbered r cross join (select 0 as state) rc),
    rolled as (${countsNew(rolled.fund, 'image')}),
    flowed as (${flowsInsert('numbered')}),
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

/** Locks them in the order of their ids; those that were never used before are made first, while nothing is locked. */
export async function lockMany(db: Db, keys: readonly AccountKey[], now: number): Promise<LockedAccount[]> {
  const distinct = [...new Map(keys.map((key) => [textOf(key), key])).values()];
  if (distinct.length === 0) return [];
  const found = await lockAll(db, distinct);
  if (found.length === distinct.length) return found;
  await openMany(db, distinct, now);
  return lockAll(db, distinct, false);
}

/**
 * @param orNone locks none of them where one is missing
 */
async function lockAll(db: Db, keys: readonly AccountKey[], orNone = true): Promise<LockedAccount[]> {
  const { rows } = await sql<LockedAccount>`${prepared}
    with wanted as (
      select a.id from unnest(${keysOfMany(keys)}) as k(owner, owner_id, market_id, platform, bucket)
      join account a on a.owner = k.owner and a.owner_id = k.owner_id and a.market_id = k.market_id
        and a.platform = k.platform and a.bucket = k.bucket
    )
    select a.id, a.owner, a.owner_id as "ownerId", a.user_id as "userId", a.agent_id as "agentId",
      a.market_id as "marketId", a.platform, a.bucket, a.balance
    from wanted join account a on a.id = wanted.id
    where not ${orNone}::boolean or (select count(*) from wanted) = ${keys.length} order by a.id for update of a`.execute(
    db,
  );
  return rows;
}

/**
 * As `openAccount` for many, in one order: users are held before any account is written. A user's account belongs where
 * the user is now; a deleted one has none.
 */
async function openMany(db: Db, keys: readonly AccountKey[], now: number): Promise<void> {
  const sorted = keys.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
  await sql`${prepared}
    with missing as (
      select k.* from unnest(${keysOfMany(sorted)}) with ordinality as k(owner, owner_id, market_id, platform, bucket, n)
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
