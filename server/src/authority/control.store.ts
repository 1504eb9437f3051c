import type { ControlKind, OtherOperator, OtherOperatorsInput } from '@hengtai/contract/desk/approval/schema';
import { GUARDED_ABILITIES } from '@hengtai/contract/authority/guards';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Scope } from '../database/connect.ts';
import { inScope } from '../database/scope.ts';

/** Who made, granted or reset an operator alone. The two then count as dependent, until the operator counts as known. */

/** Records that an operator made, granted or reset another one alone, so that their approvals are not independent. */
export async function recordControl(
  db: Db,
  control: { operatorId: number; controllerId: number; how: ControlKind; now: number },
): Promise<void> {
  await sql`insert into operator_control (operator_id, controller_id, how, created_at)
    values (${control.operatorId}, ${control.controllerId}, ${control.how}, ${control.now})
    on conflict (operator_id, controller_id, how) do update set created_at = excluded.created_at`.execute(db);
}

/**
 * Makes operators count as known: deletes what is on record of who made, granted or reset them.
 *
 * @param until keeps later records, in Unix milliseconds
 */
export async function clearControls(db: Db, operatorIds: readonly number[], until: number): Promise<void> {
  await sql`delete from operator_control
    where operator_id = any(${[...operatorIds]}::bigint[]) and created_at <= ${until}`.execute(db);
}

/**
 * Finds two of these operators that are not independent: one controls the other (made, granted or reset it alone), directly
 * or through others, or the same third operator controls both.
 */
export async function findDependentPair(
  db: Db,
  operatorIds: readonly number[],
): Promise<{ a: number; b: number } | undefined> {
  const { rows } = await sql<{ a: number; b: number }>`
    with recursive control (root, id) as (
      select x, x from unnest(${[...operatorIds]}::bigint[]) x
      union
      select r.root, c.controller_id from control r join operator_control c on c.operator_id = r.id
    )
    select a.root as a, b.root as b from control a join control b on b.id = a.id and a.root < b.root limit 1`.execute(
    db,
  );
  return rows[0];
}

const recordsFor = (scope: Scope): RawBuilder<unknown> => sql`coalesce((
  select json_agg(json_build_object('by', b.account, 'how', c.how, 'at', c.created_at) order by c.created_at, c.how)
  from operator_control c left join agent b on b.id = c.controller_id and ${inScope(scope, 'b.id')}
  where c.operator_id = o.id), '[]')`;

/** What is on record of an operator, oldest first. Controllers outside the scope have no name. */
export async function findControls(db: Db, scope: Scope, operatorId: number): Promise<OtherOperator['records']> {
  const { rows } = await sql<{ records: OtherOperator['records'] }>`
    select ${recordsFor(scope)} as records from agent o where o.id = ${operatorId}`.execute(db);
  return rows[0]?.records ?? [];
}

const OTHERS_SHOWN = 50;

/**
 * Operators of the scope besides those that the lock shows as holders, or those with something on record, by a part of the
 * account. Needs a transaction that sees the scope.
 */
export async function findOtherOperators(
  db: Db,
  scope: Scope,
  { search = '', recorded }: OtherOperatorsInput,
): Promise<{ total: number; list: OtherOperator[] }> {
  const isShownByLock = sql`o.state = 1 and (o.parent_id is null or o.abilities && ${[...GUARDED_ABILITIES]}::int[])`;
  const condition = recorded
    ? sql`exists (select from operator_control c where c.operator_id = o.id)`
    : sql`not (${isShownByLock})`;
  const { rows } = await sql<OtherOperator & { total: number }>`
    select o.id, o.account, o.state, ${recordsFor(scope)} as records, (count(*) over ())::int as total from agent o
    where o.deleted_at is null and o.password_hash is not null and ${condition} and ${inScope(scope, 'o.id')}
      and position(lower(${search.trim()}) in o.account_key) > 0
    order by o.id limit ${OTHERS_SHOWN}`.execute(db);
  return { total: rows[0]?.total ?? 0, list: rows.map(({ total: _total, ...row }) => row) };
}

/** How many of these operators exist. */
export async function countOperators(db: Db, ids: readonly number[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from agent where id = any(${[...ids]}::bigint[]) and deleted_at is null`.execute(db);
  return rows[0]?.count ?? 0;
}

/** When an approval was asked, in Unix milliseconds. */
export async function findAskedAt(db: Db, approvalId: number): Promise<number> {
  const { rows } = await sql<{ at: number }>`select created_at as at from approval where id = ${approvalId}`.execute(
    db,
  );
  return rows[0]?.at ?? 0;
}
