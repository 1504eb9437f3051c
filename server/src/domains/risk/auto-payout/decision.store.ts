import type { autoReasons } from '@hengtai/contract/risk/auto-payout/labels';
import type { AutoDecision, AutoReview } from '@hengtai/contract/risk/auto-payout/schema';
import { USER_KYC } from '@hengtai/contract/people/user/calls';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { type Db, prepared } from '../../../database/connect.ts';
import { stopsUser } from '../../house/alarm/alarm.store.ts';
import { isKeyingUser } from '../../funds/withdraw/key-backfill.store.ts';
import { isRelatedListed } from '../../funds/withdraw/withdraw-risk.store.ts';
import { versionJson } from './coin.store.ts';

export type LeftReason = keyof typeof autoReasons;

/** What a decision takes into account besides the withdrawal and the budget. */
export interface Circumstances {
  /** Of the withdrawal. */
  createdAt: number;
  isUserActive: boolean;
  /** Level of identity: 0 none, 1 basic, 2 advanced; null if it is not known. */
  level: number | null;
  /** An open alarm stops automatic payouts of the user. */
  hasAlarm: boolean;
  /** The rule set that ran with the request; null if none did. */
  set: number | null;
  currentSet: number | null;
  /** A rule holds the withdrawal, or leaves it to people. */
  forbidden: boolean;
  /** The checkers that the rules demand. */
  people: number;
  /** Null if it is not known. */
  firstAddress: boolean | null;
  /** Older withdrawals of the user are still to be keyed, so what it used before is not known. */
  isKeying: boolean;
  /** An account with the same owner is blocked or sanctioned now. */
  isRelatedListed: boolean;
}

/** The caller has locked the user. */
export async function findCircumstances(db: Db, withdrawId: number, now: number): Promise<Circumstances | undefined> {
  const { rows } = await sql<Omit<Circumstances, 'isRelatedListed'>>`${prepared}
    select w.created_at as "createdAt", (u.state = 1 and u.deleted_at is null) as "isUserActive",
      case u.auth when ${USER_KYC.basic} then 1 when ${USER_KYC.advanced} then 2 else 0 end as level,
      exists (select from alarm a where a.user_id = w.user_id and a.closed_at is null and ${stopsUser}) as "hasAlarm",
      x.set_number as "set", (select max(number) from rule_set) as "currentSet",
      coalesce(x.hold or x.manual, false) as forbidden, coalesce(x.people, 0) as people,
      f.risk_first_address as "firstAddress",
      ${isKeyingUser('w.user_id')} as "isKeying"
    from withdraw w join users u on u.id = w.user_id
    left join rule_result x on x.withdraw_id = w.id left join withdraw_fact f on f.withdraw_id = w.id
    where w.id = ${withdrawId}`.execute(db);
  return rows[0] && { ...rows[0], isRelatedListed: await isRelatedListed(db, withdrawId, now) };
}

/** A decision as it is stored. */
export interface NewDecision {
  withdrawId: number;
  budgetId: number;
  set: number | null;
  /** Null if the system passed it. */
  why: LeftReason | null;
  houseBefore: string;
  houseAfter: string;
  houseCount: number;
  userBefore: string;
  userAfter: string;
  mandateId: number | null;
  head: number | null;
  draw: number | null;
  drawn: boolean;
  now: number;
}

export async function insertDecision(db: Db, decision: NewDecision): Promise<void> {
  const { withdrawId, budgetId, set, why, houseBefore, houseAfter, houseCount, userBefore, userAfter } = decision;
  const { mandateId, head, draw, drawn, now } = decision;
  await sql`${prepared}
    insert into auto_decision (withdraw_id, budget_id, set_number, passed, why, house_before, house_after, house_count,
      user_before, user_after, mandate_id, head, draw, drawn, created_at)
    values (${withdrawId}, ${budgetId}, ${set}, ${why === null}, ${why}, ${houseBefore}, ${houseAfter}, ${houseCount},
      ${userBefore}, ${userAfter}, ${mandateId}, ${head}, ${draw}, ${drawn}, ${now})`.execute(db);
}

const reviewJson = sql`case when v.withdraw_id is not null then json_build_object('sound', v.sound, 'reason', v.reason,
  'by', v.by_account, 'at', v.created_at) end`;

type OwnDecision = Omit<AutoDecision, 'budget' | 'spent' | 'rules'>;

/** The decision about a withdrawal that the caller sees, without what it says about the house. */
export async function findDecision({ db }: Pick<Ctx, 'db'>, withdrawId: number): Promise<OwnDecision | undefined> {
  const { rows } = await sql<OwnDecision>`
    select d.passed, d.why, d.set_number as "set", d.mandate_id as "mandateId", d.head, d.draw, d.drawn,
      ${reviewJson} as review, d.created_at as at
    from auto_decision d left join auto_review v on v.withdraw_id = d.withdraw_id
    where d.withdraw_id = ${withdrawId}`.execute(db);
  return rows[0];
}

/** The budget of a decision and what was spent. Needs full scope. */
export async function findBudgetOf(db: Db, withdrawId: number): Promise<Pick<AutoDecision, 'budget' | 'spent'>> {
  const { rows } = await sql<Pick<AutoDecision, 'budget' | 'spent'>>`
    select ${versionJson} as budget, json_build_object('before', trim_scale(d.house_before)::text,
      'after', trim_scale(d.house_after)::text, 'count', d.house_count, 'userBefore', trim_scale(d.user_before)::text,
      'userAfter', trim_scale(d.user_after)::text) as spent
    from auto_decision d join auto_budget b on b.id = d.budget_id where d.withdraw_id = ${withdrawId}`.execute(db);
  return rows[0] ?? { budget: null, spent: null };
}

/** Records the review of a decision; false if it has one. */
export async function insertReview(
  db: Db,
  withdrawId: number,
  { sound, reason, by, at }: AutoReview,
): Promise<boolean> {
  const { rows } = await sql`
    insert into auto_review (withdraw_id, sound, reason, by_account, created_at)
    values (${withdrawId}, ${sound}, ${reason}, ${by}, ${at})
    on conflict (withdraw_id) do nothing returning 1`.execute(db);
  return rows.length === 1;
}
