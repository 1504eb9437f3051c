import { agent as calls } from '@hengtai/contract/people/agent/calls';
import type { AgentRow } from '@hengtai/contract/people/agent/schema';
import type { InputOf } from '@hengtai/contract/wire/endpoint';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { agentBits } from '../../../database/agent-bits.ts';
import { hasSecondFactor } from '../../../authority/session.store.ts';
import type { Db } from '../../../database/connect.ts';
import { counters } from '../../../books/lists/counters.ts';
import { defineList } from '../../../books/lists/list.ts';
import type { ListSource } from '../../../books/lists/source.ts';
import { inScope } from '../../../database/scope.ts';
import { lockTree, treeChanges } from '../../../database/tree.ts';

/** An array, so that PostgreSQL looks up each row's subtree in the index; with a join it may scan all users per row. */
const isInSubtree = (column: string) =>
  sql`${sql.ref(column)} = any(array(select c.descendant from closure c where c.ancestor = a.id))`;

/** Hides agents above the operator: its own row has no parent, and the root is at most the operator itself. */
const fieldsFor = (ctx: Ctx) => sql`
  a.id, a.account, a.remark, a.depth, a.state, a.created_at as "createdAt", a.updated_at as "updatedAt",
  a.last_login_at as "lastLoginAt", a.last_login_ip as "lastLoginIp", (${hasSecondFactor('a')})::int as otp,
  case when a.id = ${ctx.operator.id} then null else a.parent_id end as parent,
  case when a.id = ${ctx.operator.id} then null else p.account end as "parentAccount",
  case when a.parent_id is null then null else coalesce((
    select r.account from closure up join agent r on r.id = up.ancestor
    where up.descendant = a.id and r.depth = 1 and ${inScope(ctx.scope, 'r.id')}), ${ctx.operator.account}) end as root,
  n.users as "userCount",
  (select count(*) - 1 from agent d where d.deleted_at is null and ${isInSubtree('d.id')}) as "agentCount",
  case when a.state = 1 then array_prepend(0, a.abilities) else a.abilities end as abilities`;

const ofUsers = sql`resource = ${sql.lit(counters.users.resource)}`;

/** `n.users` counts the users of an agent's subtree: those in the counters, and changes that are not in them yet. */
const from = sql`agent a left join agent p on p.id = a.parent_id
  left join counter_scope s on s.${ofUsers} and s.kind = 1 and s.key = a.id
  left join (
    select c.ancestor, sum(d.n) as n from counter_delta d join closure c on c.descendant = d.agent_key
    where d.${ofUsers} group by c.ancestor
  ) late on late.ancestor = a.id
  cross join lateral (select coalesce(s.n, 0) + coalesce(late.n, 0)::bigint as users) n`;

const sourceFor = (ctx: Ctx, { account, sort }: InputOf<typeof calls.list>): ListSource => ({
  fields: fieldsFor(ctx),
  from,
  id: 'a.id',
  createdAt: 'a.created_at',
  filters: {
    account: 'a.account_key',
    parentAccount: 'a.parent_id',
    state: 'a.state',
    id: 'a.id',
    depth: 'a.depth',
    // The operator's own row cannot be found by its hidden parent.
    parent: sql`nullif(a.parent_id, case when a.id = ${ctx.operator.id} then a.parent_id end)`,
  },
  sort: { account: 'a.account_key', depth: 'a.depth', lastLoginAt: 'a.last_login_at', userCount: 'n.users' },
  ...(account !== undefined && sort === undefined && { first: sql`a.account_key = ${String(account).toLowerCase()}` }),
  where: sql<boolean>`a.parent_id is not null and a.deleted_at is null and ${inScope(ctx.scope, 'a.id')}`,
});

export const listAgents = defineList(calls.list, sourceFor);

export async function findAgent(ctx: Ctx, id: number): Promise<AgentRow | undefined> {
  const { rows } = await sql<AgentRow>`
    select ${fieldsFor(ctx)} from ${from}
    where a.id = ${id} and a.deleted_at is null and ${inScope(ctx.scope, 'a.id')}`.execute(ctx.db);
  return rows[0];
}

/** Finds an agent of the operator's scope, itself included, by its account. */
export async function findAgentByAccount(
  ctx: Ctx,
  account: string,
): Promise<{ id: number; account: string } | undefined> {
  const { rows } = await sql<{ id: number; account: string }>`
    select a.id, a.account from agent a
    where a.account_key = lower(${account}) and a.deleted_at is null and ${inScope(ctx.scope, 'a.id')}`.execute(ctx.db);
  return rows[0];
}

/** Locks an agent of the scope against deletion until the transaction ends; false if it is not found. */
export async function lockAgent(ctx: Ctx, id: number): Promise<boolean> {
  const { rows } = await sql`select 1 from agent a
    where a.id = ${id} and a.deleted_at is null and ${inScope(ctx.scope, 'a.id')} for share`.execute(ctx.db);
  return rows.length === 1;
}

/** Whether each of the ids is the agent of this account or one of its descendants. */
export async function isAncestorOfAll(db: Db, account: string, ids: readonly number[]): Promise<boolean> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from closure c join agent a on a.id = c.ancestor
    where a.account = ${account} and c.descendant = any(${[...ids]}::bigint[])`.execute(db);
  return rows[0]?.n === new Set(ids).size;
}

export interface NewAgent {
  account: string;
  parentId: number;
  /** null if the platform registered the agent; it has no login until an operator sets a password. */
  passwordHash: string | null;
  remark: string;
  createdAt: number;
  now: number;
}

/** Inserts an agent with its closure rows; undefined if the account is taken. */
export async function insertAgent(db: Db, agent: NewAgent): Promise<number | undefined> {
  await lockTree(db, 'shared');
  const { rows } = await sql<{ id: number }>`
    insert into agent (account, password_hash, password_by_other, parent_id, depth, remark, created_at, recorded_at,
      updated_at)
    select ${agent.account}, ${agent.passwordHash}, ${agent.passwordHash !== null}, p.id, p.depth + 1, ${agent.remark}, ${agent.createdAt}, ${agent.now},
      ${agent.now}
    from agent p where p.id = ${agent.parentId}
    on conflict (account_key) do nothing returning id`.execute(db);
  const id = rows[0]?.id;
  if (id === undefined) return undefined;
  await sql`with ${treeChanges()} insert into closure (ancestor, descendant)
    select ancestor, ${id}::bigint from closure where descendant = ${agent.parentId} union all select ${id}, ${id}`.execute(
    db,
  );
  return id;
}

/** Adds an agent that this transaction created to its scope, in the context and for row-level security. */
export async function widenScope(ctx: Ctx, agentId: number): Promise<Ctx> {
  if (ctx.scope.kind === 'all') return ctx;
  const ids = [...ctx.scope.ids, agentId];
  await sql`select set_config('app.tree', ${agentBits(ids).hex}, true)`.execute(ctx.db);
  return { ...ctx, scope: { kind: 'agents', ids } };
}

/** Enables or disables an agent's login; returns its id, or nothing if the state did not change. */
export async function setEnabled(db: Db, id: number, state: number, now: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update agent set state = ${state}, updated_at = ${now} where id = ${id} and state <> ${state} returning id`.execute(
    db,
  );
  return rows.map((row) => row.id);
}

export async function setRemark(db: Db, id: number, remark: string, now: number): Promise<void> {
  await sql`update agent set remark = ${remark}, updated_at = ${now} where id = ${id}`.execute(db);
}
