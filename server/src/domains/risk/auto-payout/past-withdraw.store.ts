import { MS_MAX } from '@hengtai/contract/wire/list';
import { sql } from 'kysely';
import type { Db } from '../../../database/connect.ts';
import { stopsUser } from '../../house/alarm/alarm.store.ts';
import type { Circumstances, LeftReason } from './decision.store.ts';

/**
 * A withdrawal with what was recorded with its request and, if the system decided about it, with the decision. What is not
 * recorded, such as whether the user was frozen, is as if it forbade nothing.
 */
export interface PastWithdraw extends Circumstances {
  id: number;
  userId: number;
  amount: string;
  risk: string[];
  recordedAt: number;
  /** When the system decided, or would have. */
  at: number;
  /** Why the system left it to people; null if it passed it, or decided nothing. */
  why: LeftReason | null;
}

/** Looks each row up by its key: the planner would read the whole table instead. */
const byKey = sql`offset 0`;

/**
 * Fetches the newest withdrawals of a coin below an id, newest first. Alarms are those that were open at the request; a
 * decision says itself whether there was one, unless the coin was stopped. Needs full scope.
 */
export async function fetchPastWithdraws(
  db: Db,
  marketId: number,
  { below, limit }: { below: number | undefined; limit: number },
): Promise<PastWithdraw[]> {
  const { rows } = await sql<PastWithdraw>`
    select w.id, w.user_id as "userId", w.amount, w.risk, w.created_at as "createdAt", w.recorded_at as "recordedAt",
      coalesce(d.created_at, w.recorded_at) as at, d.why, f.kyc_level as level, f.risk_first_address as "firstAddress",
      (d.withdraw_id is null or d.why = 'stopped') and exists (select from alarm a where a.user_id = w.user_id and ${stopsUser}
        and a.created_at <= w.recorded_at and coalesce(a.closed_at > w.recorded_at, true)) as "hasAlarm",
      true as "isUserActive", false as "isKeying", 'related_listed' = any(w.risk) as "isRelatedListed",
      x.set_number as "set", x.set_number as "currentSet", coalesce(x.hold or x.manual, false) as forbidden, coalesce(x.people, 0) as people
    from (select id, user_id, amount, risk, created_at, recorded_at from withdraw
      where market_id = ${marketId} and id < ${below ?? MS_MAX} order by id desc limit ${limit}) w
    left join lateral (select * from rule_result where withdraw_id = w.id ${byKey}) x on true
    left join lateral (select * from withdraw_fact where withdraw_id = w.id ${byKey}) f on true
    left join lateral (select * from auto_decision where withdraw_id = w.id ${byKey}) d on true
    order by w.id desc`.execute(db);
  return rows;
}

/** The accounts of users, by their ids. Needs full scope. */
export async function fetchAccounts(db: Db, userIds: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; account: string }>`
    select id, account from users where id = any(${[...userIds]}::bigint[])`.execute(db);
  return new Map(rows.map(({ id, account }) => [id, account]));
}
