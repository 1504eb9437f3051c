import { config as calls } from '@hengtai/contract/desk/config/calls';
import type { ConfigChange, ConfigHistoryRow, ConfigValue } from '@hengtai/contract/desk/config/schema';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { defineList } from '../../../books/lists/list.ts';
import type { ListSource } from '../../../books/lists/source.ts';
import { namedInScope } from '../../../database/scope.ts';

const fieldsFor = ({ scope }: Pick<Ctx, 'scope'>) => sql`
  h.id, h.config_id as "configId", c.key, c.name, c.group_name as "group", c.kind,
  h.before_str as "beforeStr", h.before_num as "beforeNum", h.before_state as "beforeState",
  h.after_str as "afterStr", h.after_num as "afterNum", h.after_state as "afterState",
  ${namedInScope(scope, 'h.by_account')} as "by", h.reason, h.restored_id as "restoredId", h.request_id as "requestId",
  h.created_at as "createdAt"`;

const from = sql`config_history h join config c on c.id = h.config_id`;

const sourceFor = (ctx: Ctx): ListSource => ({
  fields: fieldsFor(ctx),
  from,
  id: 'h.id',
  createdAt: 'h.created_at',
  filters: { id: 'h.config_id', by: 'h.by_key', restored: sql`(h.restored_id is not null)::integer` },
});

export const listHistoryRows = defineList(calls.history, sourceFor);

/** Finds a history row by its id and its setting. */
export async function findChange(ctx: Ctx, configId: number, id: number): Promise<ConfigHistoryRow | undefined> {
  const { rows } = await sql<ConfigHistoryRow>`
    select ${fieldsFor(ctx)} from ${from} where h.id = ${id} and h.config_id = ${configId}`.execute(ctx.db);
  return rows[0];
}

/** Inserts a history row with the old and the new value. */
export async function recordChange(
  { db, operator, now, requestId }: Ctx,
  change: {
    id: number;
    at: number;
    before: ConfigValue;
    after: ConfigValue;
    reason: string;
    restoredId: number | null;
    loosens: boolean;
  },
): Promise<void> {
  const { id, at, before, after, reason, restoredId, loosens } = change;
  await sql`
    insert into config_history (config_id, before_str, before_num, before_state, after_str, after_num, after_state,
      by_account, reason, restored_id, loosens, request_id, created_at, recorded_at)
    values (${id}, ${before.str}, ${before.num}, ${before.state}, ${after.str}, ${after.num}, ${after.state},
      ${operator.account}, ${reason}, ${restoredId}, ${loosens}, ${requestId}, ${at}, ${now})`.execute(db);
}

/** Settings changed after `since` and up to `until`, with the value before, the value after and the last operator. */
export async function fetchChangesBetween(ctx: Ctx, since: number, until: number): Promise<ConfigChange[]> {
  type Values = Pick<
    ConfigHistoryRow,
    'beforeStr' | 'beforeNum' | 'beforeState' | 'afterStr' | 'afterNum' | 'afterState'
  >;
  type Flat = Omit<ConfigChange, 'before' | 'after'> & Values;
  const { rows } = await sql<Flat>`
    with ranges as (
      select config_id, min(id) as first, max(id) as last, count(*) as changes from config_history
      where created_at > ${since} and created_at <= ${until} group by config_id
    )
    select c.id, c.key, c.name, c.group_name as "group", c.kind,
      f.before_str as "beforeStr", f.before_num as "beforeNum", f.before_state as "beforeState",
      l.after_str as "afterStr", l.after_num as "afterNum", l.after_state as "afterState",
      w.changes, ${namedInScope(ctx.scope, 'l.by_account')} as "by", l.created_at as at
    from ranges w join config c on c.id = w.config_id
      join config_history f on f.id = w.first join config_history l on l.id = w.last
    order by c.group_name, c.id`.execute(ctx.db);
  return rows.map(({ id, key, name, group, kind, changes, by, at, ...value }) => ({
    id,
    key,
    name,
    group,
    kind,
    before: { str: value.beforeStr, num: value.beforeNum, state: value.beforeState },
    after: { str: value.afterStr, num: value.afterNum, state: value.afterState },
    changes,
    by,
    at,
  }));
}
