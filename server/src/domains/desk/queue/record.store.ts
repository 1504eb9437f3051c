import { ABILITY } from '@hengtai/contract/authority/ability';
import { countSpecs } from '@hengtai/contract/desk/notify/notification';
import {
  type ReviewQueueKey,
  type ReviewType,
  queuesOfType,
  reviewQueues,
} from '@hengtai/contract/desk/queue/work-queue';
import { type RawBuilder, sql } from 'kysely';
import { isApprovalVisible } from '../../../actions/approval.store.ts';
import type { Ctx } from '../../../app/context.ts';
import { inScope } from '../../../database/scope.ts';
import { type Viewer, countsOf, queueOf, waitingRows } from '../../../realtime/waiting.store.ts';

/** A record that operators review. */
export interface ReviewRecord {
  type: ReviewType;
  id: number;
  userId: number | null;
  account: string | null;
  agentId: number | null;
}

/** The rows of a kind that the caller sees, as `a`. Their table has the name of the kind. */
const visibleRecords = (ctx: Ctx, type: ReviewType): RawBuilder<unknown> =>
  sql`${sql.table(type)} a where ${type === 'approval' ? isApprovalVisible(ctx) : inScope(ctx.scope, 'a.agent_id')}`;

/** Ids of the records of a kind that the caller sees, among the given ones. */
export const visibleIds = (ctx: Ctx, type: ReviewType, ids: readonly number[]): RawBuilder<unknown> =>
  sql`(select a.id from ${visibleRecords(ctx, type)} and a.id = any(${[...ids]}::bigint[]))`;

export async function findRecord(ctx: Ctx, type: ReviewType, id: number): Promise<ReviewRecord | undefined> {
  const { rows } = await sql<Omit<ReviewRecord, 'type'>>`
    select r.id, r.user_id as "userId", u.account, r.agent_id as "agentId"
    from (select a.id, a.user_id, a.agent_id from ${visibleRecords(ctx, type)} and a.id = ${id}) r
    left join users u on u.id = r.user_id and ${inScope(ctx.scope, 'u.agent_id')}`.execute(ctx.db);
  return rows[0] && { ...rows[0], type };
}

/** Whether the operator can decide about records of a kind, in one of their queues. */
export const canReview = (ctx: Ctx, type: ReviewType): boolean => {
  const counted = countsOf(ctx);
  return queuesOfType(type).some((key) => counted.includes(key));
};

export const idOf = (key: ReviewQueueKey): RawBuilder<unknown> => sql.ref(`${queueOf(key).alias}.id`);

/** Queue, id and begin of the wait of the records of a kind that wait for the viewer. */
export function selectWaiting(viewer: Viewer, type: ReviewType): RawBuilder<unknown> {
  const parts = queuesOfType(type).map(
    (key) =>
      sql`select ${sql.lit(key)} as queue, ${idOf(key)} as id, ${queueOf(key).since} as since from ${waitingRows(key, viewer)}`,
  );
  return sql.join(parts, sql` union all `);
}

/** Whether a record waits for the caller in a queue. */
export async function isWaiting(ctx: Ctx, { type, id }: Pick<ReviewRecord, 'type' | 'id'>): Promise<boolean> {
  const { rows } = await sql`select 1 from (${selectWaiting(ctx, type)}) q where q.id = ${id} limit 1`.execute(ctx.db);
  return rows.length > 0;
}

const abilitiesOf = (type: ReviewType): readonly number[] => [
  ...new Set(queuesOfType(type).flatMap((key) => [countSpecs[key].ability].flat())),
];

/** The abilities of operators who get an escalated record of a kind. */
const aboveOf = (type: ReviewType): number => {
  const [key] = queuesOfType(type);
  return key === undefined ? ABILITY.headquarters : reviewQueues[key].above;
};

/**
 * Condition: the operator `o` is enabled, can decide about records of the kind, and sees the record's agent. A record
 * without an agent is visible to every operator.
 */
export const canDecide = (type: ReviewType, agentId: number | null): RawBuilder<boolean> => sql<boolean>`(
  o.deleted_at is null and o.state = 1 and (o.parent_id is null or (o.abilities && ${[...abilitiesOf(type)]}::int[]
    and (${ABILITY.headquarters} = any(o.abilities) or ${agentId}::bigint is null
      or exists (select from closure c where c.ancestor = o.id and c.descendant = ${agentId}::bigint)))))`;

/** Condition: the operator `o` has the ability above. */
export const isAbove = (type: ReviewType): RawBuilder<boolean> =>
  sql<boolean>`(o.parent_id is null or ${aboveOf(type)} = any(o.abilities))`;

/** Condition: the operator `o` has marked itself as absent. */
export const isAbsent = (now: number): RawBuilder<boolean> => sql<boolean>`exists (
  select from absence b where b.operator_id = o.id and (b.back_at is null or b.back_at > ${now}))`;
