import { audit as calls } from '@hengtai/contract/audit';
import { sql } from 'kysely';
import { type ListSource, defineList } from '../db/list.ts';
import { inScope } from '../db/scope.ts';

const source: ListSource = {
  fields: sql`
    a.id, a.operator, a.session_id as "sessionId", a.ip, a.user_agent as "userAgent", a.action,
    a.target_type as "targetType", a.target_id as "targetId", a.user_id as "userId", a.account, g.account as agent,
    a.before, a.after, a.reason, a.approval_id as "approvalId", a.result, a.request_id as "requestId",
    s.seq as sealed, a.created_at as "createdAt"`,
  from: sql`audit a left join agent g on g.id = a.agent_id left join audit_seal s on s.audit_id = a.id`,
  id: 'a.id',
  createdAt: 'a.created_at',
  filters: {
    operator: 'a.operator_key',
    action: 'a.action',
    result: 'a.result',
    account: 'a.account_key',
    targetType: 'a.target_type',
    targetId: 'a.target_id',
    requestId: 'a.request_id',
  },
};

export const listAudit = defineList(calls.list, ({ scope }) => ({ ...source, where: inScope(scope, 'a.agent_id') }));
