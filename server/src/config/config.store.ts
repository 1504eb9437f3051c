import { ABILITY } from '@hengtai/contract/ability';
import { ADMIN_SETTINGS } from '@hengtai/contract/config';
import type { ConfigRow, ConfigValue } from '@hengtai/contract/config.schema';
import { sql } from 'kysely';
import type { Ctx } from '../context.ts';
import type { Db } from '../db/connect.ts';
import { namedInScope } from '../db/scope.ts';

/** Like the history, for who oversees the whole house. */
const loosenedAt = ({ scope }: Ctx) =>
  scope.kind === 'all'
    ? sql`(select max(h.created_at) from config_history h where h.config_id = c.id and h.loosens)`
    : sql`null::bigint`;

const fieldsFor = (ctx: Ctx) => sql`
  c.id, c.key, c.name, c.group_name as "group", c.kind, c.str, c.num, c.state, c.min, c.max, c.remark,
  (${ctx.operator.top} or not (c.key ^@ any(${[...ADMIN_SETTINGS]}::text[])))::int as editable,
  ${namedInScope(ctx.scope, 'c.by_account')} as "by",
  c.updated_at as "updatedAt",
  ${loosenedAt(ctx)} as "loosenedAt"`;

/** All settings, those of a group together, in the order in which they were made. */
export async function listSettings(ctx: Ctx): Promise<ConfigRow[]> {
  const { rows } = await sql<ConfigRow>`
    select ${fieldsFor(ctx)} from config c
    order by min(c.id) over (partition by c.group_name), c.id`.execute(ctx.db);
  return rows;
}

/** The setting, held until the transaction ends, so that what was before and what is after belong together. */
export async function findSetting(ctx: Ctx, id: number, hold = true): Promise<ConfigRow | undefined> {
  const { rows } = await sql<ConfigRow>`
    select ${fieldsFor(ctx)} from config c where c.id = ${id} ${hold ? sql`for update` : sql``}`.execute(ctx.db);
  return rows[0];
}

/** Operators besides the caller whose approvals count now and reach the whole house. */
export async function countOtherApprovers({ db, operator, now }: Ctx): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from agent o left join agent_grant g on g.operator_id = o.id and g.ability = ${ABILITY.approval}
    where o.id <> ${operator.id} and o.state = 1 and o.deleted_at is null and o.password_hash is not null
      and coalesce(g.effective_at, 0) <= ${now}
      and (o.otp_since is not null or exists (select from installation where four_eyes_locked_at is null))
      and (o.parent_id is null or (o.abilities @> array[${ABILITY.approval}, ${ABILITY.headquarters}]::int[]))`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}

/** Whether the amount lies between the setting's bounds, the bounds included. */
export async function isWithin(ctx: Ctx, { min, max }: Pick<ConfigRow, 'min' | 'max'>, num: string): Promise<boolean> {
  const { rows } = await sql<{ within: boolean }>`
    select coalesce(${num}::numeric >= ${min}::numeric, true) and coalesce(${num}::numeric <= ${max}::numeric, true)
      as within`.execute(ctx.db);
  return rows[0]?.within ?? false;
}

/** When it counts as changed: a reader who saw only the first of two changes in one millisecond must notice the second. */
export async function saveSetting({ db, now, operator }: Ctx, id: number, value: ConfigValue): Promise<number> {
  const { rows } = await sql<{ at: number }>`
    update config set str = ${value.str}, num = ${value.num}, state = ${value.state}, by_account = ${operator.account},
      updated_at = greatest(${now}, updated_at + 1)
    where id = ${id} returning updated_at as at`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('The update of a setting returned no row.');
  return row.at;
}

/** The text of one setting; empty where there is none. */
export async function findText(db: Db, key: string): Promise<string> {
  const { rows } = await sql<{ str: string }>`select str from config where key = ${key}`.execute(db);
  return rows[0]?.str ?? '';
}

/** Whether a setting is switched on; off where there is none. */
export async function isOn(db: Db, key: string): Promise<boolean> {
  const { rows } = await sql<{ state: number }>`select state from config where key = ${key}`.execute(db);
  return rows[0]?.state === 1;
}
