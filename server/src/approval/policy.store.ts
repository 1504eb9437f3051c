import { POLICY } from '@hengtai/contract/approval';
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

interface PolicyAnswer {
  second: boolean;
}

/** Without a user, only what the same operator did counts. Two texts, so that each finds its rows by an index. */
const ofSubject = ({ userId, operatorId }: PolicyQuestion): RawBuilder<boolean> =>
  userId === null ? sql<boolean>`operator_id = ${operatorId} and user_id is null` : sql<boolean>`user_id = ${userId}`;

const answerTo = (question: PolicyQuestion): RawBuilder<PolicyAnswer> => sql<PolicyAnswer>`
  select c.state = ${POLICY.always}::int or (c.state = ${POLICY.above}::int and (
      coalesce(${question.amount}::numeric + coalesce(used.amount, 0) > c.num, true) or coalesce(used.unpriced, false)
    )) as second
  from config c
  left join lateral (
    select sum(amount) as amount, bool_or(amount is null) as unpriced from policy_use
    where policy = ${question.policy} and ${ofSubject(question)} and created_at > ${question.now - WINDOW_MS}
  ) used on true
  where c.key = ${`policy.${question.policy}`}`;

/** A policy that is missing from the settings must not open the door. */
const secondIn = (rows: readonly PolicyAnswer[]): boolean => rows[0]?.second ?? true;

/** Whether a deed goes to a second person. */
export async function needsSecond(db: Db, question: PolicyQuestion): Promise<boolean> {
  return secondIn((await answerTo(question).execute(db)).rows);
}

/** As `needsSecond`; a deed that needs none is remembered for the policies' look back in the same statement. */
export async function needsSecondOrUse(db: Db, question: PolicyQuestion): Promise<boolean> {
  const { rows } = await sql<PolicyAnswer>`${prepared}
    with answer as (${answerTo(question)}),
    used as (
      insert into policy_use (policy, operator_id, user_id, amount, created_at)
      select ${question.policy}::text, ${question.operatorId}::bigint, ${question.userId}::bigint, ${question.amount}::numeric,
        ${question.now}::bigint
      from answer where not second
    )
    select second from answer`.execute(db);
  return secondIn(rows);
}

/** Remembers a deed that a second person passed for the policies' look back. */
export async function noteUse(db: Db, question: PolicyQuestion): Promise<void> {
  await sql`insert into policy_use (policy, operator_id, user_id, amount, created_at)
    values (${question.policy}, ${question.operatorId}, ${question.userId}, ${question.amount}, ${question.now})`.execute(
    db,
  );
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
