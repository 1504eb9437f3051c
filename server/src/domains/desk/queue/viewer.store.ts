import type { QueueClaimed } from '@hengtai/contract/desk/queue/schema';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { inScope } from '../../../database/scope.ts';
import { type TabClaim, LEASE_MS } from './claim.store.ts';

/**
 * Stores that the tab has the record open, and no longer the one before. Calls of one tab wait for each other here, so
 * this comes before they lock claims.
 */
export async function openRecord({ db, operator, now }: Ctx, { type, id, tab }: TabClaim): Promise<void> {
  await sql`
    insert into viewer (operator_id, tab, target_type, target_id, lease_until)
    values (${operator.id}, ${tab}, ${type}, ${id}, ${now + LEASE_MS})
    on conflict (operator_id, tab) do update set target_type = excluded.target_type, target_id = excluded.target_id,
      lease_until = excluded.lease_until`.execute(db);
}

/** Stores that the tab has no record open. Like `openRecord` it comes before the locks of claims. */
export async function closeRecord({ db, operator }: Ctx, tab: string): Promise<void> {
  await sql`delete from viewer where operator_id = ${operator.id} and tab = ${tab}`.execute(db);
}

/** Other operators who have a record open that the caller sees, without its holder. */
export async function findViewers(
  ctx: Ctx,
  { type, id }: Pick<TabClaim, 'type' | 'id'>,
): Promise<QueueClaimed['viewers']> {
  const { rows } = await sql<{ operator: string | null }>`
    select o.account as operator from (
      select distinct v.operator_id from viewer v where v.target_type = ${type} and v.target_id = ${id}
        and v.lease_until > ${ctx.now} and v.operator_id <> ${ctx.operator.id}
        and not exists (select from claim c where c.target_type = ${type} and c.target_id = ${id}
          and c.ended_at is null and c.lease_until > ${ctx.now} and c.operator_id = v.operator_id)
    ) v left join agent o on o.id = v.operator_id and ${inScope(ctx.scope, 'o.id')}
    order by o.account_key nulls last`.execute(ctx.db);
  return rows.map(({ operator }) => operator);
}
