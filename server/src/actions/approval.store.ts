import type { RecordApproval } from '@hengtai/contract/wire/schema';
import { ABILITY } from '@hengtai/contract/authority/ability';
import type { ApprovalDetail, ApprovalOpen, ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import { type ApprovalType, approval as calls, approvalTypes } from '@hengtai/contract/desk/approval/calls';
import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import type { NotificationType } from '@hengtai/contract/desk/notify/notification';
import { type RawBuilder, sql } from 'kysely';
import { type Ctx, can } from '../app/context.ts';
import { agentBits } from '../database/agent-bits.ts';
import type { Db } from '../database/connect.ts';
import { defineList } from '../books/lists/list.ts';
import type { ListSource } from '../books/lists/source.ts';
import { inScope } from '../database/scope.ts';
import { notificationInsert } from './notification.store.ts';
import type { Lines } from './save.ts';

export interface ApprovalRecord extends ApprovalRow {
  makerId: number;
  agentId: number | null;
  /** Of a save: the lines that change, as they will be. */
  result: Lines | null;
}

/** What the list selects: without the title, and without the name of a maker outside the operator's scope. */
type StoredApproval = Omit<ApprovalRow, 'title' | 'maker'> & { maker: string | null };

const titles = Object.entries(approvalTypes);

const fields = sql`
  a.id, a.action as type, a.target_type as "targetType", a.target_id as "targetId", a.user_id as "userId",
  u.account, g.shown as agent, a.input, a.hash, a.amount, m.account as maker, c.account as checker, a.state, a.reason,
  a.answer, a.created_at as "createdAt", a.updated_at as "updatedAt",
  case when a.state = ${sql.lit(APPROVAL.open)} then a.expires_at else least(a.expires_at, a.decided_at) end as "expiresAt",
  a.decided_at as "decidedAt", a.required, a.permit_until as "permitUntil",
  case when a.state = ${sql.lit(APPROVAL.passed)} then a.required
    else (select count(*) from approval_vote v where v.approval_id = a.id) end as given`;

/** Maker, checker and target may be outside the operator's scope; the joins then leave their names null. */
const fromFor = ({ scope }: Ctx) => sql`approval a
  left join users u on u.id = a.user_id and ${inScope(scope, 'u.agent_id')}
  left join agent g on g.id = a.agent_id and ${inScope(scope, 'g.id')}
  left join agent m on m.id = a.maker_id and ${inScope(scope, 'm.id')}
  left join agent c on c.id = a.checker_id and ${inScope(scope, 'c.id')}`;

const addTitle = <R extends { type: string }>(row: R): R & { title: string } => ({
  ...row,
  title: titles.find(([name]) => name === row.type)?.[1] ?? row.type,
});

/** Targets that belong to no tree, so every approver may decide about them. Row-level security repeats this list. */
export const HOUSE_TARGETS: readonly string[] = ['installation', 'config', 'gatewayKey', 'gatewayPlatform'];
export const concernsHouse = ({ targetType }: { targetType: string }): boolean => HOUSE_TARGETS.includes(targetType);
export const isHouseTarget = sql<boolean>`a.target_type in (${sql.join(HOUSE_TARGETS.map((type) => sql.lit(type)))})`;

/** Own requests. An approver also sees those with a target in its scope and those about the whole house. */
export const isApprovalVisible = (ctx: Ctx): RawBuilder<boolean> => {
  const own = sql<boolean>`a.maker_id = ${ctx.operator.id}`;
  return can(ctx.operator, ABILITY.approval)
    ? sql<boolean>`(${inScope(ctx.scope, 'a.agent_id')} or ${isHouseTarget} or ${own})`
    : own;
};

export async function findApproval(ctx: Ctx, id: number): Promise<ApprovalRecord | undefined> {
  const { rows } = await sql<StoredApproval & Pick<ApprovalRecord, 'makerId' | 'agentId' | 'result'>>`
    select ${fields}, a.maker_id as "makerId", a.agent_id as "agentId", a.result from ${fromFor(ctx)}
    where a.id = ${id} and ${isApprovalVisible(ctx)}`.execute(ctx.db);
  return rows[0] && hideAccounts(addTitle(rows[0]));
}

/** Replaces the null of a maker outside the scope, because the contract requires a text. */
const hideAccounts = <R extends { maker: string | null }>(row: R): R & { maker: string } => ({
  ...row,
  maker: row.maker ?? '--',
});

const sourceFor = (ctx: Ctx): ListSource => ({
  fields,
  from: fromFor(ctx),
  id: 'a.id',
  createdAt: 'a.created_at',
  filters: { state: 'a.state', type: 'a.action', mine: () => sql<boolean>`a.maker_id = ${ctx.operator.id}` },
  amount: 'a.amount',
  where: isApprovalVisible(ctx),
});

export const listApprovals = defineList(calls.list, sourceFor, {
  row: (row: StoredApproval) => hideAccounts(addTitle(row)),
});

/** Open approvals of targets in scope. Operators who may not read the approval get `readable: false`. */
export async function findOpenApprovals(ctx: Ctx, targetType: string, ids: readonly number[]): Promise<ApprovalOpen[]> {
  const { rows } = await sql<Omit<ApprovalOpen, 'title'>>`
    select a.target_id as "targetId", a.id, a.action as type, a.expires_at as "expiresAt", v.readable,
      case when v.readable and m.id is not null then json_build_object('marketId', m.id, 'marketName', m.market_name,
        'platform', (a.input ->> 'platform')::int, 'amount', a.input ->> 'amount') end as asset
    from approval a cross join lateral (select ${isApprovalVisible(ctx)} as readable) v
    left join market m on a.action like 'asset.%' and m.id = (a.input ->> 'marketId')::bigint
    where a.state = ${sql.lit(APPROVAL.open)} and a.expires_at > ${ctx.now} and a.target_type = ${targetType}
      and a.target_id = any(${[...ids]}::bigint[]) and ${inScope(ctx.scope, 'a.agent_id')}
    order by a.id`.execute(ctx.db);
  return rows.map(addTitle);
}

/**
 * The request that waits for a record, or else the one that passed when the record was decided; its people inside the scope.
 *
 * @param decidedAt unix milliseconds
 * @param action the action that decides, where others need approval as well; by default any
 */
export async function findRecordApproval(
  ctx: Ctx,
  targetType: string,
  { id, userId, decidedAt, action }: { id: number; userId: number; decidedAt: number | null; action?: ApprovalType },
): Promise<RecordApproval> {
  const { rows } = await sql<RecordApproval>`
    select case when a.state = ${sql.lit(APPROVAL.open)} then a.id end as "openId", m.account as maker, c.account as checker,
      a.created_at as "submittedAt"
    from approval a
    left join agent m on m.id = a.maker_id and ${inScope(ctx.scope, 'm.id')}
    left join agent c on c.id = a.checker_id and ${inScope(ctx.scope, 'c.id')}
    where a.user_id = ${userId} and a.target_type = ${targetType} and a.target_id = ${id}
      and coalesce(a.action = ${action ?? null}::text, true)
      and (a.state = ${sql.lit(APPROVAL.open)} or a.state = ${sql.lit(APPROVAL.passed)} and a.decided_at = ${decidedAt})
    order by a.state, a.id desc limit 1`.execute(ctx.db);
  return rows[0] ?? { openId: null, maker: null, checker: null, submittedAt: null };
}

/** Who has approved a request for several checkers, in order; null instead of a name outside the scope. */
export async function fetchVotes({ db, scope }: Ctx, id: number): Promise<ApprovalDetail['votes']> {
  const { rows } = await sql<ApprovalDetail['votes'][number]>`
    select c.account as checker, v.created_at as at from approval_vote v
    left join agent c on c.id = v.checker_id and ${inScope(scope, 'c.id')}
    where v.approval_id = ${id} order by v.created_at, v.checker_id`.execute(db);
  return rows;
}

/** The id of the open approval of a target, of one action or any; undefined when there is none. */
export async function findOpenApprovalId(
  ctx: Pick<Ctx, 'db' | 'now'>,
  target: { type: string; id: number },
  action?: string,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select a.id from approval a where a.state = ${sql.lit(APPROVAL.open)} and a.expires_at > ${ctx.now}
      and a.target_type = ${target.type} and a.target_id = ${target.id}
      and coalesce(a.action = ${action ?? null}::text, true) order by a.id limit 1`.execute(ctx.db);
  return rows[0]?.id;
}

export interface NewApproval {
  action: string;
  targetType: string;
  targetId: number;
  userId: number | null;
  agentId: number | null;
  input: unknown;
  result?: unknown;
  hash: string;
  amount: string | null;
  required: number;
  makerId: number;
  reason: string;
  now: number;
  expiresAt: number;
}

/** The notification for each final state of an approval. */
const stateNotifications: Readonly<Record<number, NotificationType>> = {
  [APPROVAL.passed]: 'approval.passed',
  [APPROVAL.rejected]: 'approval.rejected',
  [APPROVAL.expired]: 'approval.expired',
  [APPROVAL.failed]: 'approval.failed',
  [APPROVAL.cancelled]: 'approval.cancelled',
};

/** The fields of a notification. `operator_id` delivers it to the maker, even when the target is out of its scope. */
export const notificationFields = sql`id, user_id, agent_id, maker_id as operator_id, null::bigint as market_id, amount, state, action as detail`;
export const stateNotificationInsert = (state: number, now: number) =>
  notificationInsert(stateNotifications[state] ?? 'approval.expired', now, now);

/**
 * Opens an approval; undefined when one is open for the same action and target, unless it is a save. For a user it stores the
 * current agent, because the user may have moved since the target was read.
 */
export async function insertApproval(db: Db, row: NewApproval): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    with moved as (insert into approval (action, target_type, target_id, user_id, agent_id, input, result, hash, amount, required, maker_id,
      reason, created_at, recorded_at, updated_at, expires_at)
    values (${row.action}, ${row.targetType}, ${row.targetId}, ${row.userId},
      coalesce((select agent_id from users where id = ${row.userId}), ${row.agentId}),
      ${JSON.stringify(row.input)}::jsonb, ${row.result === undefined ? null : JSON.stringify(row.result)}::jsonb, ${row.hash}, ${row.amount}, ${row.required}, ${row.makerId}, ${row.reason}, ${row.now},
      ${row.now}, ${row.now}, ${row.expiresAt})
    on conflict (action, target_type, target_id) where state = ${sql.lit(APPROVAL.open)} and result is null do nothing
    returning ${notificationFields}),
    notified as (${notificationInsert('approval.asked', row.now, row.now)})
    select id from moved`.execute(db);
  return rows[0]?.id;
}

/**
 * Raises the amount of an open approval and the number of its checkers; neither falls. An unknown amount is the largest.
 * Locks the approval.
 *
 * @returns undefined when it is no longer open
 */
export async function raiseApproval(
  db: Db,
  { id, amount, required }: Pick<ApprovalRow, 'id' | 'amount' | 'required'>,
): Promise<Pick<ApprovalRow, 'amount' | 'required'> | undefined> {
  const { rows } = await sql<Pick<ApprovalRow, 'amount' | 'required'>>`
    update approval set required = greatest(required, ${required}),
      amount = case when amount is not null and ${amount}::numeric is not null then greatest(amount, ${amount}::numeric) end
    where id = ${id} and state = ${sql.lit(APPROVAL.open)} returning amount, required`.execute(db);
  return rows[0];
}

/** Decides an approval; false when it is no longer open or has expired. */
export async function decideApproval(
  db: Db,
  id: number,
  decision: { state: number; checkerId: number | null; answer: string; now: number },
): Promise<boolean> {
  const { rows } = await sql`
    with moved as (update approval set state = ${decision.state}, checker_id = ${decision.checkerId}, answer = ${decision.answer},
      decided_at = ${decision.now}, updated_at = ${decision.now}
    where id = ${id} and state = ${sql.lit(APPROVAL.open)} and expires_at > ${decision.now} returning ${notificationFields}),
    notified as (${stateNotificationInsert(decision.state, decision.now)})
    select 1 from moved`.execute(db);
  return rows.length === 1;
}

/** Marks a passed approval as failed, because its action was refused. */
export async function failApproval(db: Db, id: number, answer: string, now: number): Promise<void> {
  await sql`
    with moved as (update approval set state = ${sql.lit(APPROVAL.failed)}, answer = ${answer} where id = ${id} and state = ${sql.lit(APPROVAL.passed)} returning ${notificationFields})
    ${stateNotificationInsert(APPROVAL.failed, now)}`.execute(db);
}

export interface MakerState {
  id: number;
  account: string;
  enabled: boolean;
  top: boolean;
  abilities: number[];
  /** Whether the target's agent is still in the maker's scope. */
  seesTarget: boolean;
}

/**
 * The current state of the maker, who may be above the checker and so outside its scope.
 *
 * @param lock locks the maker until the transaction ends; not possible in a read-only transaction
 */
export async function findMaker(
  ctx: Ctx,
  makerId: number,
  agentId: number | null,
  lock = false,
): Promise<MakerState | undefined> {
  return withAgentInScope(ctx, makerId, (db) => readMaker(db, makerId, agentId, lock));
}

/** Extends the scope of the transaction by one agent for the duration of one read. */
async function withAgentInScope<T>({ db, scope }: Ctx, agentId: number, read: (db: Db) => Promise<T>): Promise<T> {
  if (scope.kind === 'all') return read(db);
  const setVisibleAgents = (ids: readonly number[]) =>
    sql`select set_config('app.tree', ${agentBits(ids).hex}, true)`.execute(db);
  await setVisibleAgents([...scope.ids, agentId]);
  const result = await read(db);
  await setVisibleAgents(scope.ids);
  return result;
}

async function readMaker(
  db: Db,
  makerId: number,
  agentId: number | null,
  lock: boolean,
): Promise<MakerState | undefined> {
  const { rows } = await sql<MakerState>`
    select o.id, o.account, o.state = 1 and o.deleted_at is null as enabled, o.parent_id is null as top, o.abilities,
      o.parent_id is null or 13 = any(o.abilities) or exists (
        select from closure c where c.ancestor = o.id and c.descendant = ${agentId}) as "seesTarget"
    from agent o where o.id = ${makerId} ${lock ? sql`for share` : sql``}`.execute(db);
  return rows[0];
}
