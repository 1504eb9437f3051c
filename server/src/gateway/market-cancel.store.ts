import { ABILITY } from '@hengtai/contract/authority/ability';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../app/context.ts';
import { inScope } from '../database/scope.ts';
import type { CancelCommand, OperatorRequest, OrderKind } from './order-command.store.ts';

/** Limits orders `o` of an approved action to the scope of its maker, even if the checker sees more. */
export const inMakerScope = (ctx: Ctx, makerId: number): RawBuilder<boolean> =>
  makerId === ctx.operator.id
    ? inScope(ctx.scope, 'o.agent_id')
    : sql<boolean>`${inScope(ctx.scope, 'o.agent_id')} and (exists (select from agent k where k.id = ${makerId}
        and (k.parent_id is null or ${ABILITY.headquarters} = any(k.abilities)))
      or o.agent_id in (select c.descendant from closure c where c.ancestor = ${makerId}))`;

/**
 * Sets every order of a market that can be cancelled to the state of a pending cancel and enqueues its command, in one
 * statement. Orders that ended meanwhile are skipped.
 *
 * @returns the number of orders
 */
export async function startCancelAll(
  ctx: Ctx,
  { table, refType }: OrderKind,
  { command, from, to }: CancelCommand,
  { marketId, makerId, by, reason }: OperatorRequest & { marketId: number; makerId: number },
): Promise<number> {
  const isOpen = sql`o.state = any(${[...from]}::int[])`;
  const { rows } = await sql<{ orders: number }>`
    with locked as (
      select o.id from ${sql.raw(table)} o
      where o.market_id = ${marketId} and ${isOpen} and ${inMakerScope(ctx, makerId)}
      order by o.id for no key update
    ),
    updated as (
      update ${sql.raw(table)} o set state = ${to}, by_account = ${by}, reason = ${reason}, updated_at = ${ctx.now}
      from locked where o.id = locked.id and ${isOpen} returning o.id, o.no
    ),
    enqueued as (
      insert into command (type, ref_type, ref_id, data, created_at, recorded_at)
      select ${command}, ${refType}, id, jsonb_build_object('no', no), ${ctx.now}::bigint, ${ctx.now}::bigint from updated
    )
    select count(*)::int as orders from updated`.execute(ctx.db);
  return rows[0]?.orders ?? 0;
}
