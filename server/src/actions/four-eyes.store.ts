import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import { ABILITY } from '@hengtai/contract/authority/ability';
import {
  APPROVER_DELAY,
  BRANCH_LIMIT_PREFIX,
  HOUSE_LIMIT_PREFIX,
  TWO_CHECKERS_PREFIX,
  limitedPolicies,
  lockSwitches,
  policies,
  POLICY_PREFIX,
} from '@hengtai/contract/desk/approval/calls';
import type { FourEyesState } from '@hengtai/contract/desk/approval/schema';
import { GUARDED_ABILITIES } from '@hengtai/contract/authority/guards';
import { sql } from 'kysely';
import { type Db, prepared } from '../database/connect.ts';
import { hasSecondFactor } from '../authority/session.store.ts';

export interface FourEyes {
  lockedAt: number | null;
  lockedBy: string | null;
  confirmedBy: string | null;
  unlockedAt: number | null;
  appointedAt: number | null;
}

const OPEN: FourEyes = { lockedAt: null, lockedBy: null, confirmedBy: null, unlockedAt: null, appointedAt: null };

export async function findFourEyes(db: Db): Promise<FourEyes> {
  const { rows } = await sql<FourEyes>`${prepared}
    select four_eyes_locked_at as "lockedAt", four_eyes_locked_by as "lockedBy", four_eyes_confirmed_by as "confirmedBy",
      four_eyes_unlocked_at as "unlockedAt", approver_appointed_at as "appointedAt" from installation`.execute(db);
  return rows[0] ?? OPEN;
}

/** @returns when four-eyes were locked, in Unix milliseconds; null while they are open */
export const findLockedAt = async (db: Db): Promise<number | null> => (await findFourEyes(db)).lockedAt;

/** Locks four-eyes; false when they are locked already. */
export async function lockFourEyes(db: Db, by: { maker: string; checker: string; now: number }): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select lock_four_eyes(${by.maker}, ${by.checker}, ${by.now}) as locked`.execute(db);
  return rows[0]?.locked ?? false;
}

export type Holder = FourEyesState['holders'][number];

/**
 * Enabled operators who hold a guarded ability, the top-level admin first. Needs a transaction that sees every agent.
 * `approver` says whether the approval ability is effective; while locked, a second factor (`codes`) is required as well.
 */
export async function findHolders(db: Db, now: number): Promise<Holder[]> {
  const guarded = sql`${[...GUARDED_ABILITIES]}::int[]`;
  const { rows } = await sql<Holder>`
    select o.id, o.account, ${hasSecondFactor('o')} as codes, g.effective_at as "approverFrom",
      case when o.parent_id is null then ${guarded}
        else array(select held from unnest(o.abilities) held where held = any(${guarded}) order by held) end as abilities,
      ${isApprover(now)} as approver
    from agent o left join agent_grant g on g.operator_id = o.id and g.ability = ${ABILITY.approval}
    where o.state = 1 and o.deleted_at is null and o.password_hash is not null
      and (o.parent_id is null or o.abilities && ${guarded})
    order by o.depth, o.account_key`.execute(db);
  return rows;
}

const isApprover = (now: number) => sql<boolean>`(
  (o.parent_id is null or ${ABILITY.approval} = any(o.abilities)) and coalesce(g.effective_at, 0) <= ${now})`;

/** Whether an operator's approvals count now, while four-eyes are locked. */
export async function isEffectiveApprover(db: Db, operatorId: number, now: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from agent o left join agent_grant g on g.operator_id = o.id and g.ability = ${ABILITY.approval}
    where o.id = ${operatorId} and o.state = 1 and o.deleted_at is null and ${hasSecondFactor('o')}
      and ${isApprover(now)} for share of o`.execute(db);
  return rows.length === 1;
}

export interface PolicyState {
  id: number;
  key: string;
  name: string;
  state: number;
  num: string;
}

/** Switches that the lock turns on and that are off now; locked until the transaction ends. */
export async function findLockSwitches(db: Db): Promise<{ id: number; key: string }[]> {
  const { rows } = await sql<{ id: number; key: string }>`
    select id, key from config where key = any(${Object.keys(lockSwitches)}::text[]) and state = 0 order by id for update`.execute(
    db,
  );
  return rows;
}

/** @param forUpdate locks the policies until the transaction ends */
export async function findPolicies(db: Db, forUpdate = false): Promise<PolicyState[]> {
  const { rows } = await sql<PolicyState>`
    select id, substr(key, ${POLICY_PREFIX.length + 1}) as key, name, state, num from config
    where key = any(${Object.keys(policies).map((name) => `${POLICY_PREFIX}${name}`)}::text[])
    order by id ${forUpdate ? sql`for update` : sql``}`.execute(db);
  return rows;
}

/** Configured limits of a policy, as decimal strings. 0 means the default multiple of the user limit, or no second checker. */
export interface Limits {
  policy: string;
  branch: string;
  house: string;
  twoCheckers: string;
}

export async function findLimits(db: Db): Promise<Limits[]> {
  const configuredLimit = (prefix: string) =>
    sql`coalesce((select c.num from config c where c.key = ${prefix}::text || p.name), 0)`;
  const { rows } = await sql<Limits>`
    select p.name as policy, ${configuredLimit(BRANCH_LIMIT_PREFIX)} as branch, ${configuredLimit(HOUSE_LIMIT_PREFIX)} as house,
      ${configuredLimit(TWO_CHECKERS_PREFIX)} as "twoCheckers"
    from unnest(${[...limitedPolicies]}::text[]) p (name)`.execute(db);
  return rows;
}

/** Makes all grants of the approval ability effective, because the checker of the lock has seen every holder. */
export async function confirmApprovers(db: Db): Promise<void> {
  await sql`update agent_grant set effective_at = null where ability = ${ABILITY.approval}`.execute(db);
}

/** Delay until the approvals of a new approver count, in milliseconds. */
export async function fetchApproverDelay(db: Db): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select (num * 3600000)::bigint as ms from config where key = ${APPROVER_DELAY}`.execute(db);
  return rows[0]?.ms ?? 0;
}

/** Whether an agent or any below it holds a guarded ability. */
export async function hasHoldersBelow(db: Db, agentId: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from closure c join agent o on o.id = c.descendant
    where c.ancestor = ${agentId} and o.deleted_at is null and o.abilities && ${[...GUARDED_ABILITIES]}::int[] limit 1`.execute(
    db,
  );
  return rows.length === 1;
}

/** Sets when a grant of the approval ability becomes effective, in Unix milliseconds. */
export async function delayApprover(db: Db, operatorId: number, effectiveAt: number): Promise<void> {
  await sql`update agent_grant set effective_at = ${effectiveAt}
    where operator_id = ${operatorId} and ability = ${ABILITY.approval}`.execute(db);
}

/** Consumes the maker's permit for one call; false when there is none. */
export async function takePermit(
  db: Db,
  permit: { action: string; targetType: string; targetId: number; makerId: number; now: number },
): Promise<boolean> {
  const { rows } = await sql`
    update approval set permit_used_at = ${permit.now}, updated_at = ${permit.now}
    where id = (select id from approval where action = ${permit.action} and target_type = ${permit.targetType}
        and target_id = ${permit.targetId} and maker_id = ${permit.makerId} and state = ${sql.lit(APPROVAL.passed)}
        and permit_used_at is null and permit_until > ${permit.now}
      order by id desc limit 1 for update) and permit_used_at is null
    returning 1`.execute(db);
  return rows.length === 1;
}

export async function setPermit(db: Db, approvalId: number, until: number): Promise<void> {
  await sql`update approval set permit_until = ${until} where id = ${approvalId}`.execute(db);
}

/** Records a checker's approval; returns the number of checkers so far, including this one. */
export async function addVote(db: Db, approvalId: number, checkerId: number, now: number): Promise<number> {
  await sql`insert into approval_vote (approval_id, checker_id, created_at) values (${approvalId}, ${checkerId}, ${now})
    on conflict do nothing`.execute(db);
  return (await findVoters(db, approvalId)).length;
}

export async function findVoters(db: Db, approvalId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select checker_id as id from approval_vote where approval_id = ${approvalId} order by created_at`.execute(db);
  return rows.map(({ id }) => id);
}

/** Records a move between branches. For a day, both branches count towards one limit. */
export async function recordBranchMove(db: Db, from: number, to: number, now: number): Promise<void> {
  if (from === to) return;
  await sql`insert into branch_move (from_branch, to_branch, moved_at) values (${from}, ${to}, ${now})
    on conflict (from_branch, to_branch) do update set moved_at = excluded.moved_at`.execute(db);
}

export async function findBranch(db: Db, agentId: number): Promise<number> {
  const { rows } = await sql<{ branch: number }>`select branch_of(${agentId}) as branch`.execute(db);
  return rows[0]?.branch ?? agentId;
}

export async function insertResetLink(
  db: Db,
  link: { hash: string; operatorId: number; approvalId: number; now: number; expiresAt: number },
): Promise<void> {
  await sql`insert into reset_link (token_hash, operator_id, approval_id, created_at, expires_at)
    values (${link.hash}, ${link.operatorId}, ${link.approvalId}, ${link.now}, ${link.expiresAt})`.execute(db);
}

interface UsedResetLink {
  operatorId: number;
  approvalId: number;
  account: string;
  /** Who handed the link over. */
  checkerId: number;
}

/** Uses a link once; undefined when it is unknown, used, expired or replaced by a later link of the operator. */
export async function takeResetLink(db: Db, hash: string, now: number): Promise<UsedResetLink | undefined> {
  const { rows } = await sql<UsedResetLink>`
    update reset_link l set used_at = ${now} from agent o, approval p
    where l.token_hash = ${hash} and l.used_at is null and l.expires_at > ${now} and o.id = l.operator_id
      and p.id = l.approval_id
      and o.state = 1 and o.deleted_at is null
      and not exists (select from reset_link n where n.operator_id = l.operator_id and n.created_at > l.created_at)
    returning l.operator_id as "operatorId", l.approval_id as "approvalId", o.account, p.checker_id as "checkerId"`.execute(
    db,
  );
  return rows[0];
}
