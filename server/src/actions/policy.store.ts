import { POLICY, PRICE_HOURS, PRICE_HOURS_DEFAULT, TWO_CHECKERS_PREFIX } from '@hengtai/contract/desk/approval/calls';
import { compareAmounts } from '@hengtai/contract/values/money';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../app/context.ts';
import { type Db, prepared } from '../database/connect.ts';
import { inScope } from '../database/scope.ts';

/** Period over which a policy sums up the actions on one user. */
const WINDOW_MS = 24 * 3_600_000;

/** The value of an action for its policy. */
export interface PolicyValue {
  /** In USDT, a decimal string; null when it has no price, which exceeds every limit. */
  amount: string | null;
  /** Time of the oldest price in it, Unix milliseconds; null without a price, as for USDT, which has no age. */
  pricedAt: number | null;
}

export const NO_PRICE: PolicyValue = { amount: null, pricedAt: null };
export const valueInUsdt = (amount: string): PolicyValue => ({ amount, pricedAt: null });

/** The larger of two values in USDT. An unknown one exceeds every other. */
export const largerValue = (a: string | null, b: string | null): string | null =>
  a === null || b === null ? null : compareAmounts(a, b) < 0 ? b : a;

export interface PolicyQuestion extends PolicyValue {
  policy: string;
  /** Null for the system. */
  operatorId: number | null;
  userId: number | null;
  now: number;
}

/** Whether a price is older than the setting allows. Such a value exceeds every limit, but is recorded as it is. */
const isOld = ({ pricedAt, now }: Pick<PolicyQuestion, 'pricedAt' | 'now'>): RawBuilder<boolean> => sql<boolean>`
  coalesce(${pricedAt}::bigint < ${now}::bigint - 3600000 * coalesce(
    (select num from config where key = ${PRICE_HOURS}), ${PRICE_HOURS_DEFAULT}::int), false)`;

export interface PriceAge extends Pick<PolicyValue, 'pricedAt'> {
  priceOld: boolean;
}

/** The time of the price in a value, and whether it is too old. */
export async function priceAgeOf(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  { pricedAt }: Pick<PolicyValue, 'pricedAt'>,
): Promise<PriceAge> {
  if (pricedAt === null) return { pricedAt, priceOld: false };
  const { rows } = await sql<{ old: boolean }>`${prepared}select ${isOld({ pricedAt, now })} as old`.execute(db);
  return { pricedAt, priceOld: rows[0]?.old ?? true };
}

/** Number of checkers; 0 means that no approval is needed. */
interface PolicyAnswer {
  checkers: 0 | 1 | 2;
}

/** The uses that count: of the user, or without a user those of the operator. Separate conditions, so each can use an index. */
const matchSubject = ({ userId, operatorId }: PolicyQuestion): RawBuilder<boolean> =>
  userId === null ? sql<boolean>`operator_id = ${operatorId} and user_id is null` : sql<boolean>`user_id = ${userId}`;

/** @param serialize calls under the policy wait for each other, so that parallel calls cannot exceed a limit together */
const checkersQuery = (
  question: PolicyQuestion,
  { serialize }: { serialize: boolean },
): RawBuilder<PolicyAnswer> => sql<PolicyAnswer>`
  select case
      when not (c.state = ${POLICY.always}::int or (c.state = ${POLICY.above}::int
        and (${isOld(question)} or coalesce(day.total > c.num, true) or exceeds_branch_or_house(${question.policy}, ${question.userId},
          ${question.amount}::numeric, c.num, ${question.now - WINDOW_MS}, ${serialize})))) then 0
      when b.num > 0 and (${isOld(question)} or coalesce(day.total > b.num, true)) then 2
      else 1 end as checkers
  from config c
  left join config b on b.key = ${`${TWO_CHECKERS_PREFIX}${question.policy}`}
  cross join lateral (
    select case when not coalesce(bool_or(amount is null), false)
      then ${question.amount}::numeric + coalesce(sum(amount), 0) end as total
    from policy_use
    where policy = ${question.policy} and ${matchSubject(question)} and created_at > ${question.now - WINDOW_MS}
  ) day
  where c.key = ${`policy.${question.policy}`}`;

/** A policy without a row in the settings requires one checker, to fail safe. */
const checkersOf = (rows: readonly PolicyAnswer[]): PolicyAnswer['checkers'] => rows[0]?.checkers ?? 1;

/** Whether an action of the operator needs a checker. Counts nothing. */
export async function needsChecker(
  { db, operator, now }: Pick<Ctx, 'db' | 'operator' | 'now'>,
  policy: string,
  userId: number | null,
  value: PolicyValue,
): Promise<boolean> {
  return (await countCheckers(db, { policy, operatorId: operator.id, userId, ...value, now })) > 0;
}

/**
 * How many checkers an action needs. If it needs none, the same statement counts it towards the limits.
 *
 * @param minimum least number of checkers
 */
export async function evaluatePolicy(db: Db, question: PolicyQuestion, minimum: number): Promise<number> {
  const { rows } = await sql<PolicyAnswer>`${prepared}
    with answer as (${checkersQuery(question, { serialize: true })}),
    recorded as (
      insert into policy_use (policy, operator_id, user_id, amount, branch_id, created_at)
      select ${question.policy}::text, ${question.operatorId}::bigint, ${question.userId}::bigint, ${question.amount}::numeric,
        branch_of_user(${question.userId}::bigint), ${question.now}::bigint
      from answer where checkers = 0 and ${minimum}::int = 0
    )
    select checkers from answer`.execute(db);
  return Math.max(checkersOf(rows), minimum);
}

/** How many checkers an action needs now, without counting it. Its user is locked. */
export async function countCheckers(db: Db, question: PolicyQuestion): Promise<number> {
  return checkersOf((await checkersQuery(question, { serialize: false }).execute(db)).rows);
}

/** Counts an approved action towards the limit of its user; limits of branch and house exclude approved actions. */
export async function recordApprovedUse(db: Db, question: Omit<PolicyQuestion, 'pricedAt'>): Promise<void> {
  await sql`insert into policy_use (policy, operator_id, user_id, amount, branch_id, approved, created_at)
    values (${question.policy}, ${question.operatorId}, ${question.userId}, ${question.amount},
      branch_of_user(${question.userId}::bigint), true, ${question.now})`.execute(db);
}

/**
 * Locks a user, so that parallel actions on it see each other's amounts.
 *
 * @returns false when the user was deleted or left the operator's tree meanwhile
 */
export async function lockUser({ db, scope }: Pick<Ctx, 'db' | 'scope'>, userId: number): Promise<boolean> {
  const { rows } = await sql`${prepared}select 1 from users u
    where u.id = ${userId} and u.deleted_at is null and ${inScope(scope, 'u.agent_id')} for no key update`.execute(db);
  return rows.length === 1;
}
