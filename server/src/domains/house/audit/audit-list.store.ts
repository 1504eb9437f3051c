import { ABILITY } from '@hengtai/contract/authority/ability';
import { DENIED, ROUTINE_ACTIONS, audit as calls } from '@hengtai/contract/house/audit/calls';
import type { AuditRow } from '@hengtai/contract/house/audit/schema';
import { type RawBuilder, sql } from 'kysely';
import { type Ctx, can } from '../../../app/context.ts';
import { defineList, lastRows } from '../../../books/lists/list.ts';
import type { ListSource } from '../../../books/lists/source.ts';
import { inScope, isUserInScope } from '../../../database/scope.ts';

/** Hides the agent in a JSON column if it is outside the caller's scope, for example the old agent of a moved user. */
const redactAgent = ({ scope }: Ctx, column: string): RawBuilder<unknown> => {
  const json = sql.ref(column);
  if (scope.kind === 'all') return json;
  return sql`case when ${json} ? 'agentId' and not (${json} ->> 'agentId')::bigint = any(${[...scope.ids]}::bigint[])
    then ${json} || '{"agent": "--"}' else ${json} end`;
};

/** The expression of the index `audit_denied`; it must match exactly for the index to be used. */
const isDenied = sql`(a.result in (${sql.join(DENIED.map((result) => sql.lit(result)))}))::int`;

const sourceFor = (ctx: Ctx): ListSource => ({
  fields: sql`
    a.id, a.operator, a.session_id as "sessionId", a.ip, a.user_agent as "userAgent", a.action,
    a.target_type as "targetType", a.target_id as "targetId", a.user_id as "userId", a.account, g.shown as agent,
    ${redactAgent(ctx, 'a.before')} as before, ${redactAgent(ctx, 'a.after')} as after, a.reason, a.approval_id as "approvalId",
    a.result, a.request_id as "requestId", s.seq as sealed, a.created_at as "createdAt"`,
  from: sql`audit a left join agent g on g.id = a.agent_id and ${inScope(ctx.scope, 'g.id')}
    left join audit_seal s on s.audit_id = a.id`,
  id: 'a.id',
  createdAt: 'a.created_at',
  filters: {
    operator: 'a.operator_key',
    action: 'a.action',
    result: 'a.result',
    denied: isDenied,
    routine: sql`(a.action = any(${[...ROUTINE_ACTIONS]}::text[]))::int`,
    account: 'a.account_key',
    targetType: 'a.target_type',
    targetId: 'a.target_id',
    requestId: 'a.request_id',
    id: 'a.id',
  },
  where: isUserInScope(ctx.scope, 'a.user_id', 'a.agent_id'),
});

export const listAudit = defineList(calls.list, sourceFor);

/** Fetches the newest audit rows about a user; none without the ability. */
export const fetchUserAudit = async (ctx: Ctx, userId: number, limit: number): Promise<AuditRow[]> =>
  can(ctx.operator, ABILITY.audit) ? lastRows<AuditRow>(ctx.db, sourceFor(ctx), sql`a.user_id = ${userId}`, limit) : [];

/** Fetches the newest audit rows with a target, including refused actions. */
export const fetchTargetAudit = (ctx: Ctx, target: { type: string; id: number }, limit: number) =>
  lastRows<AuditRow>(ctx.db, sourceFor(ctx), sql`a.target_type = ${target.type} and a.target_id = ${target.id}`, limit);
