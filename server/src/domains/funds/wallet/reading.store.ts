import { sql } from 'kysely';
import { type Db, prepared } from '../../../database/connect.ts';

/**
 * Adds new entries to the sums of the readings that contain them, and lets these be looked at again: those from the block of the
 * entry on, or from its time on if one of both has no block. The twin of `judgeReading`.
 */
export async function addToJudgements(db: Db, entries: readonly { id: number; dueAt: number }[]): Promise<void> {
  const ids = entries.map(({ id }) => id);
  const dueAts = entries.map(({ dueAt }) => dueAt);
  await sql`${prepared}
    update wallet_judgement j set moved = j.moved + x.amount, due_at = coalesce(j.due_at, x.due_at)
    from (
      select c.reading_id, sum(e.amount) as amount, max(n.due_at) as due_at
      from unnest(${ids}::bigint[], ${dueAts}::bigint[]) n(id, due_at) join wallet_entry e on e.id = n.id
      cross join lateral (
        select t.reading_id from wallet_judgement t
        where t.wallet_id = e.wallet_id and t.created_at >= e.created_at and (t.block is null or e.block is null)
        union all
        select t.reading_id from wallet_judgement t
        where t.wallet_id = e.wallet_id and t.block >= e.block and t.block is not null
      ) c
      group by c.reading_id
    ) x
    where j.reading_id = x.reading_id`.execute(db);
}

/** The coins and networks of wallets. */
export async function fetchWalletPlaces(
  db: Db,
  ids: readonly number[],
): Promise<{ id: number; marketId: number; network: string }[]> {
  const { rows } = await sql<{ id: number; marketId: number; network: string }>`${prepared}
    select id, market_id as "marketId", network from wallet where id = any(${[...ids]}::bigint[])`.execute(db);
  return rows;
}

/** A reading whose sum is to be computed. */
export interface NewReading {
  id: number;
  walletId: number;
}

/** Readings in the order of their time, so that each finds the one before it. */
export async function fetchReadings(db: Db, ids: readonly number[]): Promise<NewReading[]> {
  const { rows } = await sql<NewReading>`${prepared}
    select id, wallet_id as "walletId" from wallet_reading where id = any(${[...ids]}::bigint[])
    order by created_at, id`.execute(db);
  return rows;
}

/** Sums the entries until a reading: those until an earlier one and those between, so that few are read. */
export async function judgeReading(db: Db, readingId: number, dueAt: number): Promise<void> {
  await sql`${prepared}
    insert into wallet_judgement (reading_id, wallet_id, block, created_at, moved, due_at)
    select r.id, r.wallet_id, r.block, r.created_at,
      coalesce(b.moved, 0) + coalesce(by_block.amount, 0) + coalesce(by_time.amount, 0), ${dueAt}
    from wallet_reading r
    left join lateral (
      select j.moved, j.block, j.created_at from wallet_judgement j
      where j.wallet_id = r.wallet_id and j.created_at <= r.created_at and (j.block is null) = (r.block is null)
        and (r.block is null or j.block <= r.block)
      order by j.created_at desc, j.reading_id desc limit 1
    ) b on true
    cross join lateral (
      select sum(e.amount) as amount from wallet_entry e
      where e.wallet_id = r.wallet_id and e.block is not null and e.block > coalesce(b.block, -1) and e.block <= r.block
    ) by_block
    cross join lateral (
      select sum(e.amount) as amount from wallet_entry e
      where e.wallet_id = r.wallet_id and e.created_at > coalesce(b.created_at, -1) and e.created_at <= r.created_at
        and (r.block is null or e.block is null)
    ) by_time
    where r.id = ${readingId}`.execute(db);
}

/** Adds new entries to the balances of their wallets. */
export async function addToBalances(db: Db, entryIds: readonly number[]): Promise<void> {
  await sql`${prepared}
    insert into wallet_balance as b (wallet_id, moved)
    select e.wallet_id, sum(e.amount) from wallet_entry e where e.id = any(${[...entryIds]}::bigint[]) group by e.wallet_id
    on conflict (wallet_id) do update set moved = b.moved + excluded.moved`.execute(db);
}

/** Compares the last reading of each wallet with its first one, and states what the wallet has now. */
export async function refreshBalances(db: Db, walletIds: readonly number[]): Promise<void> {
  const ids = sql`${[...walletIds]}::bigint[]`;
  await sql`${prepared}
    insert into wallet_balance (wallet_id) select unnest(${ids}) on conflict (wallet_id) do nothing`.execute(db);
  await sql`${prepared}
    update wallet_balance b set opening_id = x.opening_id, reading_id = x.reading_id, read_at = x.read_at,
      amount = coalesce(x.amount - x.moved, 0) + b.moved, difference = x.difference
    from unnest(${ids}) w(id)
    left join lateral (
      select o.id as opening_id, l.id as reading_id, l.created_at as read_at, l.amount, l.moved,
        l.amount - o.amount - (l.moved - o.moved) as difference
      from (
        select r.id, r.amount, j.moved from wallet_judgement j join wallet_reading r on r.id = j.reading_id
        where j.wallet_id = w.id order by j.created_at, j.reading_id limit 1
      ) o
      cross join (
        select r.id, r.amount, r.created_at, j.moved from wallet_judgement j join wallet_reading r on r.id = j.reading_id
        where j.wallet_id = w.id order by j.created_at desc, j.reading_id desc limit 1
      ) l
    ) x on true
    where b.wallet_id = w.id`.execute(db);
}

/** A reading that contradicts the first one and the moves between them. */
export interface WrongReading {
  readingId: number;
  walletId: number;
  wallet: string;
  market: string;
  /** What the wallet has above what it should have; decimal strings. */
  difference: string;
  amount: string;
  at: number;
  /** The agent that alarms of the house belong to. */
  rootId: number;
}

/**
 * Takes the readings that are due. Returns those that are wrong in another way than the reading before: a wallet that lacks an
 * amount is wrong in every later reading by the same amount.
 */
export async function takeDueReadings(
  db: Db,
  now: number,
  limit: number,
): Promise<{ taken: number; wrong: WrongReading[] }> {
  const { rows: due } = await sql<{ id: number }>`${prepared}
    update wallet_judgement set due_at = null where reading_id = any(array(
      select reading_id from wallet_judgement where due_at <= ${now} order by due_at, reading_id limit ${limit}
      for update skip locked))
    returning reading_id as id`.execute(db);
  if (due.length === 0) return { taken: 0, wrong: [] };
  const { rows } = await sql<WrongReading>`${prepared}
    select j.reading_id as "readingId", w.id as "walletId", coalesce(nullif(w.name, ''), w.no) as wallet,
      m.market_name as market, d.now as difference, r.amount, r.created_at as at,
      (select id from agent where parent_id is null) as "rootId"
    from wallet_judgement j
    join wallet_reading r on r.id = j.reading_id
    join wallet w on w.id = j.wallet_id
    join market m on m.id = w.market_id
    join wallet_balance b on b.wallet_id = j.wallet_id
    join wallet_judgement oj on oj.reading_id = b.opening_id
    join wallet_reading o on o.id = b.opening_id
    left join lateral (
      select pr.amount, p.moved from wallet_judgement p join wallet_reading pr on pr.id = p.reading_id
      where p.wallet_id = j.wallet_id and (p.created_at, p.reading_id) < (j.created_at, j.reading_id)
      order by p.created_at desc, p.reading_id desc limit 1
    ) before on true
    cross join lateral (
      select r.amount - o.amount - (j.moved - oj.moved) as now,
        coalesce(before.amount - o.amount - (before.moved - oj.moved), 0) as before
    ) d
    where j.reading_id = any(${due.map(({ id }) => id)}::bigint[]) and d.now <> 0 and d.now <> d.before
    order by j.created_at, j.reading_id`.execute(db);
  return { taken: due.length, wrong: rows };
}
