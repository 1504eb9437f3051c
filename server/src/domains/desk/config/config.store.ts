import { ABILITY } from '@hengtai/contract/authority/ability';
import {
  BRANCH_LIMIT_PREFIX,
  HOUSE_LIMIT_PREFIX,
  TWO_CHECKERS_PREFIX,
  POLICY_PREFIX,
} from '@hengtai/contract/desk/approval/calls';
import { ADMIN_SETTINGS } from '@hengtai/contract/desk/config/calls';
import type { ConfigRow, ConfigValue } from '@hengtai/contract/desk/config/schema';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { hasSecondFactor } from '../../../authority/session.store.ts';
import type { Db } from '../../../database/connect.ts';
import { namedInScope } from '../../../database/scope.ts';

/** Time of the last change that loosened a protection; like the history, only with full scope. */
const loosenedAt = ({ scope }: Ctx) =>
  scope.kind === 'all'
    ? sql`(select max(h.created_at) from config_history h where h.config_id = c.id and h.loosens)`
    : sql`null::bigint`;

const fieldsFor = (ctx: Ctx) => sql`
  c.id, c.key, c.name, c.group_name as "group", c.kind, c.str, c.num, c.state, c.min, c.max, c.remark,
  (${ctx.operator.top} or not (c.key ^@ any(${[...ADMIN_SETTINGS]}::text[])))::int as editable,
  ${namedInScope(ctx.scope, 'c.by_account')} as "by", (c.by_account is not null)::int as changed,
  c.updated_at as "updatedAt",
  ${loosenedAt(ctx)} as "loosenedAt"`;

/** All settings by group, groups and settings in the order of their ids. */
export async function listSettings(ctx: Ctx): Promise<ConfigRow[]> {
  const { rows } = await sql<ConfigRow>`
    select ${fieldsFor(ctx)} from config c
    order by min(c.id) over (partition by c.group_name), c.id`.execute(ctx.db);
  return rows;
}

/** Finds a setting. `lock` locks it until the transaction ends, so that the old value in the audit is exact. */
export async function findSetting(ctx: Ctx, id: number, lock = true): Promise<ConfigRow | undefined> {
  const { rows } = await sql<ConfigRow>`
    select ${fieldsFor(ctx)} from config c where c.id = ${id} ${lock ? sql`for update` : sql``}`.execute(ctx.db);
  return rows[0];
}

/** The number of another setting, which stays until the transaction ends. */
export async function lockNumber(db: Db, key: string): Promise<string> {
  const { rows } = await sql<{ num: string }>`select num from config where key = ${key} for share`.execute(db);
  return rows[0]?.num ?? '0';
}

/** The policy that the limit or band of a key depends on; undefined for other settings. */
export async function findPolicyBehind(db: Db, key: string): Promise<ConfigValue | undefined> {
  const prefix = [BRANCH_LIMIT_PREFIX, HOUSE_LIMIT_PREFIX, TWO_CHECKERS_PREFIX].find((one) => key.startsWith(one));
  if (prefix === undefined) return undefined;
  const { rows } = await sql<ConfigValue>`
    select str, num, state from config where key = ${POLICY_PREFIX + key.slice(prefix.length)}`.execute(db);
  return rows[0];
}

/** Counts the other operators with full scope who may approve now. */
export async function countOtherApprovers({ db, operator, now }: Ctx): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from agent o left join agent_grant g on g.operator_id = o.id and g.ability = ${ABILITY.approval}
    where o.id <> ${operator.id} and o.state = 1 and o.deleted_at is null and o.password_hash is not null
      and coalesce(g.effective_at, 0) <= ${now}
      and (${hasSecondFactor('o')} or exists (select from installation where four_eyes_locked_at is null))
      and (o.parent_id is null or (o.abilities @> array[${ABILITY.approval}, ${ABILITY.headquarters}]::int[]))`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}

/** Whether a decimal string is between the setting's bounds, both inclusive; null means no bound. */
export async function isInBounds(
  ctx: Ctx,
  { min, max }: Pick<ConfigRow, 'min' | 'max'>,
  num: string,
): Promise<boolean> {
  const { rows } = await sql<{ inBounds: boolean }>`
    select coalesce(${num}::numeric >= ${min}::numeric, true) and coalesce(${num}::numeric <= ${max}::numeric, true)
      as "inBounds"`.execute(ctx.db);
  return rows[0]?.inBounds ?? false;
}

/**
 * Saves a value and returns its `updatedAt`. The time increases with each save, also within one millisecond, because
 * optimistic locking compares it.
 */
export async function saveSetting({ db, now, operator }: Ctx, id: number, value: ConfigValue): Promise<number> {
  const { rows } = await sql<{ at: number }>`
    update config set str = ${value.str}, num = ${value.num}, state = ${value.state}, by_account = ${operator.account},
      updated_at = greatest(${now}, updated_at + 1)
    where id = ${id} returning updated_at as at`.execute(db);
  const [row] = rows;
  if (!row) throw new Error(`The update of setting ${id} returned no row.`);
  return row.at;
}
