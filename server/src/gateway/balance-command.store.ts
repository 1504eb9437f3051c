import { sql } from 'kysely';
import type { PostedEntry } from '../books/ledger/post.ts';
import type { Db } from '../database/connect.ts';
import { enqueue } from './command.store.ts';

/**
 * Enqueues one `balance.changed` command for each user, account type and coin that the entries touched, with the
 * balances after them. Only for postings of the back office; the platform knows the effects of its own events.
 */
export async function enqueueBalanceChanges(db: Db, entries: readonly PostedEntry[], now: number): Promise<void> {
  const userEntries = entries.filter((entry) => entry.userId !== null);
  const lastEntries = new Map(
    userEntries.map((entry) => [`${entry.userId} ${entry.marketId} ${entry.platform}`, entry]),
  );
  for (const entry of lastEntries.values()) {
    const { rows } = await sql<{ account: string; market: string; active: string; frozen: string }>`
      select u.account, m.market_name as market,
        coalesce(sum(a.balance) filter (where a.bucket = 'active'), 0) as active,
        coalesce(sum(a.balance) filter (where a.bucket = 'frozen'), 0) as frozen
      from account a join users u on u.id = a.user_id join market m on m.id = a.market_id
      where a.user_id = ${entry.userId} and a.market_id = ${entry.marketId} and a.platform = ${entry.platform}
      group by u.account, m.market_name`.execute(db);
    const balance = rows[0];
    if (!balance) continue;
    const data = { ...balance, platform: entry.platform, entry: entry.id };
    await enqueue(db, { type: 'balance.changed', refType: 'entry', refId: entry.id, data, now });
  }
}
