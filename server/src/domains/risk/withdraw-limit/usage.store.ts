import type { AppliedLimits } from '@hengtai/contract/risk/withdraw-limit/schema';
import { sql } from 'kysely';
import type { Writer } from '../../../gateway/event-batch.ts';
import { type Db, prepared } from '../../../database/connect.ts';
import { type BulkRow, unnestRows } from '../../../database/bulk.ts';

const DAY_MS = 86_400_000;

/** States of withdrawals that count towards the limits of their day: all but rejected, cancelled and refunded ones. */
const COUNTED = [0, 1, 2, 3, 4, 7, 8];

/** What a user withdrew of a coin on a UTC day, fees included. */
export interface DayUse {
  usedAmount: string;
  usedCount: number;
}

/** What the limits of a user depend on. */
export interface Standing extends DayUse {
  /** State of the identity, see `identityLevelOf`. */
  auth: number;
  groupId: number | null;
}

/**
 * Reads what the limits of a user depend on, and what it withdrew of a coin on the UTC day of `at`. One index descent per
 * state, however many withdrawals the user has.
 */
export async function findStanding(db: Db, userId: number, marketId: number, at: number): Promise<Standing> {
  const from = Math.floor(at / DAY_MS) * DAY_MS;
  const { rows } = await sql<Standing>`${prepared}
    select u.auth, m.group_id as "groupId", d.amount as "usedAmount", d.count as "usedCount"
    from users u left join user_group_member m on m.user_id = u.id
    cross join lateral (
      select coalesce(sum(w.amount), 0) as amount, count(*) as count from withdraw w
      where w.user_id = u.id and w.market_id = ${marketId} and w.state = any(${COUNTED}::int[])
        and w.created_at >= ${from} and w.created_at < ${from + DAY_MS}
    ) d
    where u.id = ${userId}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error(`There is no user ${userId}.`);
  return row;
}

/** A user of a platform that is not deleted. */
export async function findPlatformUserId(db: Db, platformId: number, account: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from users where account_key = lower(${account}) and platform_id = ${platformId}
      and deleted_at is null`.execute(db);
  return rows[0]?.id;
}

const useTypes = {
  withdrawId: 'bigint',
  level: 'int',
  groupId: 'bigint',
  levelVersion: 'int',
  groupVersion: 'int',
  singleMin: 'numeric',
  singleMax: 'numeric',
  dayAmount: 'numeric',
  dayCount: 'int',
  usedAmount: 'numeric',
  usedCount: 'int',
  fee: 'numeric',
} as const;

/** What a withdrawal was judged by, and what its user had withdrawn before it. */
export type LimitUse = BulkRow<typeof useTypes, 'groupId' | 'levelVersion' | 'groupVersion' | 'fee'>;

/** Records what withdrawals were judged by, in the transaction of their requests. */
export const limitUses: Writer<LimitUse> = {
  tables: ['withdraw_limit_use'],
  write: async (db, uses) => {
    await sql`${prepared}
      insert into withdraw_limit_use (withdraw_id, level, group_id, level_version, group_version, min_amount, max_amount,
        day_amount, day_count, used_amount, used_count, fee)
      select "withdrawId", level, "groupId", "levelVersion", "groupVersion", "singleMin", "singleMax", "dayAmount", "dayCount",
        "usedAmount", "usedCount", fee
      from ${unnestRows('u', useTypes, uses)} order by n`.execute(db);
  },
};

/** The terms of a withdrawal that the caller has found in its scope; null if no level or group had terms for its coin. */
export async function findAppliedLimits(db: Db, withdrawId: number): Promise<AppliedLimits | null> {
  const { rows } = await sql<AppliedLimits>`
    select u.level, g.name as "userGroup", u.level_version as "levelVersion", u.group_version as "groupVersion",
      u.min_amount as "singleMin", u.max_amount as "singleMax", u.day_amount as "dayAmount", u.day_count as "dayCount",
      u.used_amount as "usedAmount", u.used_count as "usedCount", u.fee
    from withdraw_limit_use u left join user_group g on g.id = u.group_id
    where u.withdraw_id = ${withdrawId}`.execute(db);
  return rows[0] ?? null;
}
