import { ABILITY } from '@hengtai/contract/ability';
import type { ApprovalOpen, ApprovalRow } from '@hengtai/contract/approval.schema';
import { APPROVAL, approval as calls, approvalTypes } from '@hengtai/contract/approval';
import type { NotificationType } from '@hengtai/contract/notify';
import { FUTURE } from '@hengtai/contract/future';
import { SPOT } from '@hengtai/contract/spot';
import { type RawBuilder, sql } from 'kysely';
import { type Ctx, can } from '../context.ts';
import { agentBits } from '../db/agent-bits.ts';
import { type Db, prepared } from '../db/connect.ts';
import { type ListSource, defineList } from '../db/list.ts';
import { inScope } from '../db/scope.ts';
import { notificationInsert } from '../notify/notification.store.ts';

export interface ApprovalRecord extends ApprovalRow {
  makerId: number;
  agentId: number | null;
}

const titles = Object.entries(approvalTypes);

const fields = sql`
  a.id, a.action as type, a.target_type as "targetType", a.target_id as "targetId", a.user_id as "userId",
  u.account, g.shown as agent, a.input, a.hash, a.amount, m.account as maker, c.account as checker, a.state, a.reason,
  a.answer, a.created_at as "createdAt", a.updated_at as "updatedAt", a.expires_at as "expiresAt",
  a.decided_at as "decidedAt", a.required, a.permit_until as "permitUntil",
  case when a.state = 1 then a.required
    else (select count(*) from approval_vote v where v.approval_id = a.id) end as given`;

/** Makers and checkers may stand outside the reader's tree, and so may what it asked for once; that is then not named. */
const fromFor = ({ scope }: Ctx) => sql`approval a
  left join users u on u.id = a.user_id and ${inScope(scope, 'u.agent_id')}
  left join agent g on g.id = a.agent_id and ${inScope(scope, 'g.id')}
  left join agent m on m.id = a.maker_id and ${inScope(scope, 'm.id')}
  left join agent c on c.id = a.checker_id and ${inScope(scope, 'c.id')}`;

const titled = <R extends { type: string }>(row: R): R & { title: string } => ({
  ...row,
  title: titles.find(([name]) => name === row.type)?.[1] ?? row.type,
});

/** What belongs to no tree: every approver of the house may decide it. Row-level security names them too. */
const HOUSE_TARGETS: readonly string[] = ['installation', 'config'];
export const isOfWholeHouse = ({ targetType }: { targetType: string }): boolean => HOUSE_TARGETS.includes(targetType);
export const ofWholeHouse = sql<boolean>`a.target_type in (${sql.join(HOUSE_TARGETS.map((type) => sql.lit(type)))})`;

/** The own ones; who may decide also sees those over whose target it has scope, and those about the whole house. */
export const visible = (ctx: Ctx): RawBuilder<boolean> => {
  const own = sql<boolean>`a.maker_id = ${ctx.operator.id}`;
  return can(ctx.operator, ABILITY.approval)
    ? sql<boolean>`(${inScope(ctx.scope, 'a.agent_id')} or ${ofWholeHouse} or ${own})`
    : own;
};

export async function findApproval(ctx: Ctx, id: number): Promise<ApprovalRecord | undefined> {
  const { rows } = await sql<ApprovalRecord>`
    select ${fields}, a.maker_id as "makerId", a.agent_id as "agentId" from ${fromFor(ctx)}
    where a.id = ${id} and ${visible(ctx)}`.execute(ctx.db);
  return rows[0] && hideAccounts(titled(rows[0]));
}

/** Who is not named leaves null where the contract has a text. */
const hideAccounts = <R extends { maker: string | null }>(row: R): R & { maker: string } => ({
  ...row,
  maker: row.maker ?? '--',
});

const sourceFor = (ctx: Ctx): ListSource => ({
  fields,
  from: fromFor(ctx),
  id: 'a.id',
  createdAt: 'a.created_at',
  filters: { state: 'a.state', type: 'a.action' },
  where: visible(ctx),
});

export const listApprovals = defineList(calls.list, sourceFor, { row: (row) => hideAccounts(titled(row)) });

/** Open approvals of these targets; an operator who sees a target may know of its approval. */
export async function findOpenFor(ctx: Ctx, targetType: string, ids: readonly number[]): Promise<ApprovalOpen[]> {
  const { rows } = await sql<Omit<ApprovalOpen, 'title'>>`
    select a.target_id as "targetId", a.id, a.action as type, a.expires_at as "expiresAt", ${visible(ctx)} as readable
    from approval a
    where a.state = 0 and a.expires_at > ${ctx.now} and a.target_type = ${targetType}
      and a.target_id = any(${[...ids]}::bigint[]) and ${inScope(ctx.scope, 'a.agent_id')}
    order by a.id`.execute(ctx.db);
  return rows.map(titled);
}

/** The open approval about a target; undefined when there is none. */
export async function findOpenOf(ctx: Ctx, target: { type: string; id: number }): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select a.id from approval a where a.state = 0 and a.expires_at > ${ctx.now}
      and a.target_type = ${target.type} and a.target_id = ${target.id} order by a.id limit 1`.execute(ctx.db);
  return rows[0]?.id;
}

export interface NewApproval {
  action: string;
  targetType: string;
  targetId: number;
  userId: number | null;
  agentId: number | null;
  input: unknown;
  hash: string;
  amount: string | null;
  required: number;
  makerId: number;
  reason: string;
  now: number;
  expiresAt: number;
}

/** What is told of an approval that came into a state. */
const facts: Readonly<Record<number, NotificationType>> = {
  [APPROVAL.passed]: 'approval.passed',
  [APPROVAL.rejected]: 'approval.rejected',
  [APPROVAL.expired]: 'approval.expired',
  [APPROVAL.failed]: 'approval.failed',
};

/** What is told of it: also to its maker, wherever the target is. */
const moved = sql`id, user_id, agent_id, maker_id as operator_id, null::bigint as market_id, amount, state, action as detail`;
const stateNotificationInsert = (state: number, now: number) =>
  notificationInsert(facts[state] ?? 'approval.expired', now, now);

/**
 * Opens an approval; undefined when one is already open for the same action and target. About a user it belongs where
 * the user is now, which may have moved since the target was read.
 */
export async function insertApproval(db: Db, row: NewApproval): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    with moved as (insert into approval (action, target_type, target_id, user_id, agent_id, input, hash, amount, required, maker_id, reason,
      created_at, recorded_at, updated_at, expires_at)
    values (${row.action}, ${row.targetType}, ${row.targetId}, ${row.userId},
      coalesce((select agent_id from users where id = ${row.userId}), ${row.agentId}),
      ${JSON.stringify(row.input)}::jsonb, ${row.hash}, ${row.amount}, ${row.required}, ${row.makerId}, ${row.reason}, ${row.now},
      ${row.now}, ${row.now}, ${row.expiresAt})
    on conflict (action, target_type, target_id) where state = 0 do nothing returning ${moved}),
    told as (${notificationInsert('approval.asked', row.now, row.now)})
    select id from moved`.execute(db);
  return rows[0]?.id;
}

/** Decides an open approval that has not expired; false when somebody or the clock was faster. */
export async function decideApproval(
  db: Db,
  id: number,
  decision: { state: number; checkerId: number; answer: string; now: number },
): Promise<boolean> {
  const { rows } = await sql`
    with moved as (update approval set state = ${decision.state}, checker_id = ${decision.checkerId}, answer = ${decision.answer},
      decided_at = ${decision.now}, updated_at = ${decision.now}
    where id = ${id} and state = 0 and expires_at > ${decision.now} returning ${moved}),
    told as (${stateNotificationInsert(decision.state, decision.now)})
    select 1 from moved`.execute(db);
  return rows.length === 1;
}

/** The approval was passed, but what it approved could not be done. */
export async function failApproval(db: Db, id: number, answer: string, now: number): Promise<void> {
  await sql`
    with moved as (update approval set state = 4, answer = ${answer} where id = ${id} and state = 1 returning ${moved})
    ${stateNotificationInsert(APPROVAL.failed, now)}`.execute(db);
}

/** Closes whatever is open for a target that moved on without it. */
export async function closeApprovals(
  db: Db,
  target: { type: string; id: number },
  closing: { state: number; answer: string; now: number },
): Promise<void> {
  await sql`${prepared}
    with moved as (update approval set state = ${closing.state}, answer = ${closing.answer}, decided_at = ${closing.now},
      updated_at = ${closing.now}
    where target_type = ${target.type} and target_id = ${target.id} and state = 0 returning ${moved})
    ${stateNotificationInsert(closing.state, closing.now)}`.execute(db);
}

/**
 * What the engine ends by itself. Its events come by the thousand, so that each looking for an approval would cost more
 * than looking from the few approvals that are open.
 */
const ended = sql`(target_type = 'trade' and exists (
    select from trade_order t where t.id = target_id and t.state in (${sql.join([SPOT.filled, SPOT.cancelled])}))
  or target_type = 'future' and exists (select from future_order f where f.id = target_id
    and f.stage <> case action when 'future.cancel' then ${FUTURE.pending}::int else ${FUTURE.open}::int end))`;

/** Takes approvals whose time is over, or whose target has ended without them; each is returned once. */
export async function expireApprovals(
  db: Db,
  now: number,
): Promise<
  { id: number; action: string; targetType: string; targetId: number; userId: number | null; agentId: number | null }[]
> {
  const { rows } = await sql<{
    id: number;
    action: string;
    targetType: string;
    targetId: number;
    userId: number | null;
    agentId: number | null;
  }>`
    with moved as (update approval set state = 3, decided_at = ${now}, updated_at = ${now},
      answer = case when expires_at <= ${now} then answer else '委托已结束' end
    where id in (select id from approval where state = 0 and (expires_at <= ${now} or ${ended})
      order by id limit 100 for update skip locked)
    returning ${moved}, action, target_type, target_id),
    told as (${stateNotificationInsert(APPROVAL.expired, now)})
    select id, action, target_type as "targetType", target_id as "targetId", user_id as "userId", agent_id as "agentId"
    from moved`.execute(db);
  return rows;
}

export interface MakerNow {
  id: number;
  account: string;
  enabled: boolean;
  top: boolean;
  abilities: number[];
  /** Whether the target's agent still lies in the maker's tree. */
  reaches: boolean;
}

/**
 * Takes the open approvals of a target before the target itself, as deciding one does: two that met in opposite order
 * would stop each other.
 */
export async function lockApprovals(db: Db, target: { type: string; id: number }): Promise<void> {
  await sql`${prepared}select 1 from approval
    where target_type = ${target.type} and target_id = ${target.id} and state = 0 order by id for update`.execute(db);
}

/**
 * The maker as it is at the moment of execution; it may well be above the second person, who does not see it.
 *
 * @param lock keeps it as it is until the transaction ends; not in a transaction that only reads
 */
export async function findMaker(
  ctx: Ctx,
  makerId: number,
  agentId: number | null,
  lock = false,
): Promise<MakerNow | undefined> {
  return alsoSeeing(ctx, makerId, (db) => readMaker(db, makerId, agentId, lock));
}

/** Lets one read of a scoped transaction see one agent outside its tree. */
async function alsoSeeing<T>({ db, scope }: Ctx, agentId: number, read: (db: Db) => Promise<T>): Promise<T> {
  if (scope.kind === 'all') return read(db);
  const see = (ids: readonly number[]) => sql`select set_config('app.tree', ${agentBits(ids).text}, true)`.execute(db);
  await see([...scope.ids, agentId]);
  const found = await read(db);
  await see(scope.ids);
  return found;
}

async function readMaker(
  db: Db,
  makerId: number,
  agentId: number | null,
  lock: boolean,
): Promise<MakerNow | undefined> {
  const { rows } = await sql<MakerNow>`
    select o.id, o.account, o.state = 1 and o.deleted_at is null as enabled, o.parent_id is null as top, o.abilities,
      o.parent_id is null or 13 = any(o.abilities) or exists (
        select from closure c where c.ancestor = o.id and c.descendant = ${agentId}) as reaches
    from agent o where o.id = ${makerId} ${lock ? sql`for share` : sql``}`.execute(db);
  return rows[0];
}
