import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Db, prepared } from '../../database/connect.ts';

/** Id of the last committed entry; 0 before the first one. */
export async function findLastEntry(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`select coalesce(max(id), 0) as id from entry`.execute(db);
  return rows[0]?.id ?? 0;
}

/** Pause between two looks at the writers. */
const LOOK_EVERY_MS = 20;

/**
 * Running transactions that may commit entries. Ids are assigned before the commit, so one of these may still add an entry
 * with a lower id than a committed one. Every writer holds this lock on the table before it takes an id, until its entries
 * are visible.
 */
async function findEntryWriters(db: Db): Promise<string[]> {
  const { rows } = await sql<{ writer: string }>`
    select l.virtualtransaction as writer from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and l.locktype = 'relation' and l.relation = 'entry'::regclass
      and l.mode = 'RowExclusiveLock' and l.granted`.execute(db);
  return rows.map(({ writer }) => writer);
}

/**
 * Waits until the transactions that are writing entries have ended. Then every entry up to the last committed one is
 * visible, and no later commit adds one.
 *
 * @returns false if they take longer than `maxMs`
 */
export async function waitForWriters(db: Db, maxMs: number): Promise<boolean> {
  const writers = new Set(await findEntryWriters(db));
  const until = performance.now() + maxMs;
  while (writers.size > 0) {
    if (performance.now() > until) return false;
    await sleep(LOOK_EVERY_MS);
    const running = new Set(await findEntryWriters(db));
    for (const writer of writers) if (!running.has(writer)) writers.delete(writer);
  }
  return true;
}

/** Where a page begins: after this balance. */
export interface BalanceKey {
  userId: number;
  marketId: number;
  platform: number;
}

/** A balance as of one entry; null if the account was not used by then. */
export interface SnapshotLine extends BalanceKey {
  account: string;
  market: string;
  active: string | null;
  frozen: string | null;
}

export interface SnapshotRange {
  /** The platform whose users are read. */
  platformId: number;
  after: BalanceKey;
  limit: number;
}

/** A page of the balances of a platform's users as of an entry. An account's balance is that of its last entry up to this one. */
export async function fetchSnapshotPage(
  db: Db,
  entryId: number,
  { platformId, after: { userId, marketId, platform }, limit }: SnapshotRange,
): Promise<SnapshotLine[]> {
  const { rows } = await sql<SnapshotLine>`${prepared}
    with page as (
      select user_id, market_id, platform from account
      where user_id is not null and (user_id, market_id, platform) > (${userId}, ${marketId}, ${platform})
        and exists (select from users u where u.id = account.user_id and u.platform_id = ${platformId})
      group by user_id, market_id, platform order by user_id, market_id, platform limit ${limit}
    )
    select p.user_id as "userId", p.market_id as "marketId", p.platform, u.account, m.market_name as market,
      max(e.balance) filter (where a.bucket = 'active') as active,
      max(e.balance) filter (where a.bucket = 'frozen') as frozen
    from page p
    join account a on a.user_id = p.user_id and a.market_id = p.market_id and a.platform = p.platform
    join users u on u.id = p.user_id join market m on m.id = p.market_id
    left join lateral (
      select e.balance from entry e where e.account_id = a.id and e.id <= ${entryId} order by e.id desc limit 1) e on true
    group by p.user_id, p.market_id, p.platform, u.account, m.market_name
    order by p.user_id, p.market_id, p.platform`.execute(db);
  return rows;
}
