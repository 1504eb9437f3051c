import { REPLIES_MAX } from '@hengtai/contract/desk/support/calls';
import type { SupportReply, SupportReplySave } from '@hengtai/contract/desk/support/schema';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { inScope } from '../../../database/scope.ts';

/** The owner (`by`) is null if it is outside the operator's scope, as agents above the operator are. */
const fieldsFor = ({ operator }: Ctx) => sql`
  r.id, r.title, r.text, r.shared, (r.operator_id = ${operator.id})::int as mine, a.account as by,
  r.updated_at as "updatedAt"`;

const fromFor = ({ scope }: Ctx) => sql`service_reply r
  left join agent a on a.id = r.operator_id and ${inScope(scope, 'a.id')}`;

/** Own replies and those that an ancestor shared. The tree decides, not the operator's scope. */
const visibleTo = ({ operator }: Ctx) => sql<boolean>`(r.operator_id = ${operator.id} or (r.shared = 1
  and exists (select from closure c where c.ancestor = r.operator_id and c.descendant = ${operator.id})))`;

/** The operator's own replies first, then shared ones; together at most twice `REPLIES_MAX`. */
export async function listReplies(ctx: Ctx): Promise<SupportReply[]> {
  const { rows } = await sql<SupportReply>`select ${fieldsFor(ctx)} from ${fromFor(ctx)} where ${visibleTo(ctx)}
    order by mine desc, r.id limit ${REPLIES_MAX * 2}`.execute(ctx.db);
  return rows;
}

export async function findReply(ctx: Ctx, id: number): Promise<SupportReply | undefined> {
  const { rows } = await sql<SupportReply>`select ${fieldsFor(ctx)} from ${fromFor(ctx)}
    where r.id = ${id} and ${visibleTo(ctx)}`.execute(ctx.db);
  return rows[0];
}

/** Inserts a reply; undefined if the operator has `REPLIES_MAX` replies. */
export async function insertReply({ db, operator, now }: Ctx, reply: SupportReplySave): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into service_reply (operator_id, title, text, shared, created_at, recorded_at, updated_at)
    select ${operator.id}::bigint, ${reply.title}::text, ${reply.text}::text, ${reply.shared}::smallint, ${now}::bigint,
      ${now}::bigint, ${now}::bigint
    where (select count(*) from service_reply where operator_id = ${operator.id}) < ${REPLIES_MAX}
    returning id`.execute(db);
  return rows[0]?.id;
}

/** Updates a reply; undefined if the operator no longer has it. */
export async function updateReply(
  { db, operator, now }: Ctx,
  id: number,
  reply: SupportReplySave,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    update service_reply set title = ${reply.title}, text = ${reply.text}, shared = ${reply.shared}, updated_at = ${now}
    where id = ${id} and operator_id = ${operator.id} returning id`.execute(db);
  return rows[0]?.id;
}

export async function deleteReply({ db, operator }: Ctx, id: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from service_reply where id = ${id} and operator_id = ${operator.id}`.execute(db);
  return numAffectedRows === 1n;
}
