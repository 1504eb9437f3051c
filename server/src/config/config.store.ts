import { POLICY_PREFIX } from '@hengtai/contract/config';
import { OTP_PREFIX } from '@hengtai/contract/otp';
import type { ConfigRow } from '@hengtai/contract/config.schema';
import { sql } from 'kysely';
import type { Ctx } from '../context.ts';
import type { Db } from '../db/connect.ts';

const fieldsFor = (ctx: Ctx) => sql`
  c.id, c.key, c.name, c.group_name as "group", c.kind, c.str, c.num, c.state, c.min, c.max, c.remark,
  case when ${ctx.operator.top} or not (starts_with(c.key, ${POLICY_PREFIX}) or starts_with(c.key, ${OTP_PREFIX}))
    then 1 else 0 end as editable,
  c.updated_at as "updatedAt"`;

/** All settings, those of a group together, in the order in which they were made. */
export async function listSettings(ctx: Ctx): Promise<ConfigRow[]> {
  const { rows } = await sql<ConfigRow>`
    select ${fieldsFor(ctx)} from config c
    order by min(c.id) over (partition by c.group_name), c.id`.execute(ctx.db);
  return rows;
}

/** The setting, held until the transaction ends, so that what was before and what is after belong together. */
export async function findSetting(ctx: Ctx, id: number): Promise<ConfigRow | undefined> {
  const { rows } = await sql<ConfigRow>`select ${fieldsFor(ctx)} from config c where c.id = ${id} for update`.execute(
    ctx.db,
  );
  return rows[0];
}

/** Whether the amount lies between the setting's bounds, the bounds included. */
export async function isWithin(ctx: Ctx, { min, max }: Pick<ConfigRow, 'min' | 'max'>, num: string): Promise<boolean> {
  const { rows } = await sql<{ within: boolean }>`
    select coalesce(${num}::numeric >= ${min}::numeric, true) and coalesce(${num}::numeric <= ${max}::numeric, true)
      as within`.execute(ctx.db);
  return rows[0]?.within ?? false;
}

export async function saveSetting(ctx: Ctx, setting: Pick<ConfigRow, 'id' | 'str' | 'num' | 'state'>): Promise<void> {
  await sql`update config set str = ${setting.str}, num = ${setting.num}, state = ${setting.state}, updated_at = ${ctx.now}
    where id = ${setting.id}`.execute(ctx.db);
}

/** The text of one setting; empty where there is none. */
export async function findText(db: Db, key: string): Promise<string> {
  const { rows } = await sql<{ str: string }>`select str from config where key = ${key}`.execute(db);
  return rows[0]?.str ?? '';
}
