import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import { countsFlows } from '../db/fund-day.ts';
import { countsNew, imageOf, rolled } from '../db/rollup.ts';
import { type AccountKey, keyOf } from './account.ts';
import { AccountClosed, type Leg, openAccount } from './post.ts';

/** One of many transfers that are posted together; each belongs to a request of its own. */
export interface OneOfMany {
  refId: number;
  /** Business time, unix milliseconds. */
  at: number;
  legs: readonly Leg[];
}

const textOf = ({ owner, ownerId, marketId, platform, bucket }: AccountKey): string =>
  `${owner} ${ownerId} ${marketId} ${platform} ${bucket}`;

/**
 * Posts many transfers in one statement, with what `post` promises of each: accounts locked in one global order, legs and
 * entries with the balance after each, counted for the lists. No two of them have the same refId.
 *
 * @throws AccountClosed when a user that it would give something to is deleted
 * @throws DatabaseError when a user's account would go below zero: nothing of all this was posted
 */
export async function postMany(db: Db, refType: string, now: number, all: readonly OneOfMany[]): Promise<void> {
  const lines = all.flatMap(({ refId, legs }) =>
    legs.map((leg) => ({ refId, ...leg, from: keyOf(leg.debit), to: keyOf(leg.credit) })),
  );
  if (lines.length === 0) return;
  const ids = await lockMany(
    db,
    lines.flatMap(({ from, to }) => [from, to]),
    now,
  );
  const idOf = (key: AccountKey): number => {
    const id = ids.get(textOf(key));
    if (id === undefined) throw new AccountClosed(`no account ${textOf(key)}`);
    return id;
  };
  await sql`
    with head as (
      select * from unnest(${all.map(({ refId }) => refId)}::bigint[], ${all.map(({ at }) => at)}::bigint[]) as h(ref_id, at)
    ),
    leg_in as (
      select l.*, nextval('leg_id') as leg_id
      from unnest(${lines.map(({ refId }) => refId)}::bigint[], ${lines.map(({ from }) => idOf(from))}::bigint[],
        ${lines.map(({ to }) => idOf(to))}::bigint[], ${lines.map(({ amount }) => amount)}::numeric[],
        ${lines.map(({ debitType }) => debitType)}::int[], ${lines.map(({ creditType }) => creditType)}::int[])
        with ordinality as l(ref_id, debit_id, credit_id, amount, debit_type, credit_type, n)
    ),
    line as (
      select n, ref_id, leg_id, -1 as side, debit_id as account_id, -amount as amount, debit_type as type from leg_in
      union all
      select n, ref_id, leg_id, 1, credit_id, amount, credit_type from leg_in
    ),
    posted as (
      insert into transfer (ref_type, ref_id, operator_id, reverses, created_at, recorded_at)
      select ${refType}, ref_id, null, null, at, ${now}::bigint from head returning id, ref_id
    ),
    -- Numbered here and not by "returning": who posts may write the house's entries, but not read them.
    numbered as (
      select nextval(pg_get_serial_sequence('entry', 'id')) as id, r.*
      from (
        select line.n, line.ref_id, line.leg_id, line.side, line.type, line.amount, h.at as created_at, a.id as account_id,
          a.market_id, a.user_id, a.agent_id, a.platform, a.bucket,
          a.balance + sum(line.amount) over (partition by a.id order by line.n, line.side) as balance
        from line join account a on a.id = line.account_id join head h on h.ref_id = line.ref_id order by line.n, line.side
      ) r
    ),
    written as (
      insert into entry (id, transfer_id, leg_id, side, account_id, market_id, user_id, agent_id, platform, bucket, type,
        amount, balance, ref_type, ref_id, remark, operator_id, created_at, recorded_at)
      select w.id, posted.id, leg_id, side, account_id, market_id, user_id, agent_id, platform, bucket, type, amount,
        balance, ${refType}, w.ref_id, '', null, w.created_at, ${now}::bigint
      from numbered w join posted on posted.ref_id = w.ref_id
    ),
    -- Nobody has looked through an entry that is only being written.
    image as (select ${imageOf(rolled.fund)} from numbered r cross join (select 0 as state) rc),
    rolled as (${countsNew(rolled.fund, 'image')}),
    flowed as (${countsFlows('numbered')}),
    joined as (
      insert into leg (id, transfer_id, market_id, amount)
      select leg_in.leg_id, posted.id, a.market_id, leg_in.amount
      from leg_in join account a on a.id = leg_in.debit_id join posted on posted.ref_id = leg_in.ref_id
    )
    update account a set balance = a.balance + d.amount
    from (select account_id, sum(amount) as amount from line group by account_id) d where a.id = d.account_id`.execute(
    db,
  );
}

/** Their ids by name, locked in the order of the ids; those that were never used before are made first. */
async function lockMany(db: Db, keys: readonly AccountKey[], now: number): Promise<ReadonlyMap<string, number>> {
  const distinct = new Map(keys.map((key) => [textOf(key), key]));
  const found = await namesOf(db, [...distinct.values()]);
  const missing = [...distinct].filter(([name]) => !found.has(name)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [, key] of missing) await openAccount(db, key, now);
  const ids = missing.length === 0 ? found : await namesOf(db, [...distinct.values()]);
  await sql`select 1 from account a where a.id = any(${[...ids.values()]}::bigint[]) order by a.id for update`.execute(
    db,
  );
  return ids;
}

/** Names and ids of accounts never change, so they are read before they are locked. */
async function namesOf(db: Db, keys: readonly AccountKey[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<AccountKey & { id: number }>`
    select a.id, a.owner, a.owner_id as "ownerId", a.market_id as "marketId", a.platform, a.bucket
    from unnest(${keys.map(({ owner }) => owner)}::text[], ${keys.map(({ ownerId }) => ownerId)}::bigint[],
      ${keys.map(({ marketId }) => marketId)}::bigint[], ${keys.map(({ platform }) => platform)}::int[],
      ${keys.map(({ bucket }) => bucket)}::text[]) as k(owner, owner_id, market_id, platform, bucket)
    join account a on a.owner = k.owner and a.owner_id = k.owner_id and a.market_id = k.market_id
      and a.platform = k.platform and a.bucket = k.bucket`.execute(db);
  return new Map(rows.map(({ id, ...key }) => [textOf(key), id]));
}
