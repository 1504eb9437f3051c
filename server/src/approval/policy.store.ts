import { POLICY, TWO_CHECKERS_PREFIX } from '@hengtai/contract/approval';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../context.ts';
import { type Db, prepared } from '../db/connect.ts';
import { inScope } from '../db/scope.ts';

/** A policy counts what anybody did to one user within this time. */
const WINDOW_MS = 24 * 3_600_000;

export interface PolicyQuestion {
  policy: string;
  operatorId: number;
  userId: number | null;
  /** Value in USDT; null when it has no price, which counts as above every limit. */
  amount: string | null;
  now: number;
}

/** 0: nobody has to confirm. */
interface PolicyAnswer {
  checkers: 0 | 1 | 2;
}

/** Without a user, only what the same operator did counts. Two texts, so that each finds its rows by an index. */
const ofSubject = ({ userId, operatorId }: PolicyQuestion): RawBuilder<boolean> =>
  userId === null ? sql<boolean>`operator_id = ${operatorId} and user_id is null` : sql<boolean>`user_id = ${userId}`;

/** @param hold calls of the policy wait for one another, so that two at once cannot pass a limit together */
const answerTo = (question: PolicyQuestion, hold: boolean): RawBuilder<PolicyAnswer> => sql<PolicyAnswer>`
  select case
      when not (c.state = ${POLICY.always}::int or (c.state = ${POLICY.above}::int
        and (coalesce(asked.total > c.num, true) or exceeds_branch_or_house(${question.policy}, ${question.userId},
          ${question.amount}::numeric, c.num, ${question.now - WINDOW_MS}, ${hold})))) then 0
      when b.num > 0 and coalesce(asked.total > b.num, true) then 2
      else 1 end as checkers
  from config c
  left join config b on b.key = ${`${TWO_CHECKERS_PREFIX}${question.policy}`}
  cross join lateral (
    select case when not coalesce(bool_or(amount is null), false)
      then ${question.amount}::numeric + coalesce(sum(amount), 0) end as total
    from policy_use
    where policy = ${question.policy} and ${ofSubject(question)} and created_at > ${question.now - WINDOW_MS}
  ) asked
  where c.key = ${`policy.${question.policy}`}`;

/** A policy that is missing from the settings must not open the door. */
const checkersIn = (rows: readonly PolicyAnswer[]): PolicyAnswer['checkers'] => rows[0]?.checkers ?? 1;

/** Whether an action waits for a second person. */
export async function needsChecker(db: Db, question: PolicyQuestion): Promise<boolean> {
  return checkersIn((await answerTo(question, false).execute(db)).rows) > 0;
}

/** How many checkers an action needs; one that needs none is counted for later calls in the same statement. */
export async function checkersOrUse(db: Db, question: PolicyQuestion): Promise<PolicyAnswer['checkers']> {
  const { rows } = await sql<PolicyAnswer>`${prepared}
    with answer as (${answerTo(question, true)}),
    used as (
      insert into policy_use (policy, operator_id, user_id, amount, branch_id, created_at)
      select ${question.policy}::text, ${question.operatorId}::bigint, ${question.userId}::bigint, ${question.amount}::numeric,
        branch_of_user(${question.userId}::bigint), ${question.now}::bigint
      from answer where checkers = 0
    )
    select checkers from answer`.execute(db);
  return checkersIn(rows);
}

/** Counts an approved action for later calls about the same user; limits of branch and house leave it out. */
export async function recordApprovedUse(db: Db, question: PolicyQuestion): Promise<void> {
  await sql`insert into policy_use (policy, operator_id, user_id, amount, branch_id, approved, created_at)
    values (${question.policy}, ${question.operatorId}, ${question.userId}, ${question.amount},
      branch_of_user(${question.userId}::bigint), true, ${question.now})`.execute(db);
}

/**
 * Actions on one user wait for one another, or two at once would each miss the other's amount.
 *
 * @returns false when the user was deleted or left the operator's tree meanwhile
 */
export async function lockUser({ db, scope }: Pick<Ctx, 'db' | 'scope'>, userId: number): Promise<boolean> {
  const { rows } = await sql`${prepared}select 1 from users u
    where u.id = ${userId} and u.deleted_at is null and ${inScope(scope, 'u.agent_id')} for no key update`.execute(db);
  return rows.length === 1;
}
