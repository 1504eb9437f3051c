import { VIEWS_MAX } from '@hengtai/contract/desk/view/calls';
import type { ViewColumns, ViewRow, ViewSave } from '@hengtai/contract/desk/view/schema';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { brokenConstraint } from '../../../database/connect.ts';
import { inScope } from '../../../database/scope.ts';

/** The owner (`by`) is null if it is outside the operator's scope, as agents above the operator are. */
const fieldsFor = ({ operator }: Ctx) => sql`
  v.id, v.list, v.name, v.query, v.columns, v.shared, case when v.operator_id = ${operator.id} then 1 else 0 end as mine,
  a.account as by, v.created_at as "createdAt", v.updated_at as "updatedAt"`;

const fromFor = ({ scope }: Ctx) => sql`saved_view v
  left join agent a on a.id = v.operator_id and ${inScope(scope, 'a.id')}`;

/** Own views and those that an ancestor shared. The tree decides, not the operator's scope. */
const visibleTo = ({ operator }: Ctx) => sql<boolean>`(v.operator_id = ${operator.id} or (v.shared = 1
  and exists (select from closure c where c.ancestor = v.operator_id and c.descendant = ${operator.id})))`;

interface StoredView extends Omit<ViewRow, 'columns'> {
  columns: string | null;
}

const rowOf = ({ columns, ...view }: StoredView): ViewRow => ({
  ...view,
  columns: columns === null ? null : (JSON.parse(columns) as ViewColumns),
});

/** The operator's own views of a list first, then shared ones; together at most twice `VIEWS_MAX`. */
export async function listViews(ctx: Ctx, list: string): Promise<ViewRow[]> {
  const { rows } = await sql<StoredView>`
    select ${fieldsFor(ctx)} from ${fromFor(ctx)} where v.list = ${list} and ${visibleTo(ctx)}
    order by mine desc, v.id limit ${VIEWS_MAX * 2}`.execute(ctx.db);
  return rows.map(rowOf);
}

export async function findView(ctx: Ctx, id: number): Promise<ViewRow | undefined> {
  const { rows } = await sql<StoredView>`
    select ${fieldsFor(ctx)} from ${fromFor(ctx)} where v.id = ${id} and ${visibleTo(ctx)}`.execute(ctx.db);
  return rows[0] && rowOf(rows[0]);
}

/** The id of the written view, or why it was not written: its name is taken, or see the function for 'none'. */
export type WriteResult = number | 'taken' | 'none';

const columnsOf = (view: ViewSave): string | null => (view.columns ? JSON.stringify(view.columns) : null);

/** Inserts a view; 'none' if the operator has `VIEWS_MAX` views of the list. */
export async function insertView({ db, operator, now }: Ctx, view: ViewSave): Promise<WriteResult> {
  const { rows } = await sql<{ id: number }>`
    insert into saved_view (operator_id, list, name, query, columns, shared, created_at, recorded_at, updated_at)
    select ${operator.id}::bigint, ${view.list}::text, ${view.name}::text, ${view.query}::text, ${columnsOf(view)}::text,
      ${view.shared}::smallint, ${now}::bigint, ${now}::bigint, ${now}::bigint
    where (select count(*) from saved_view where operator_id = ${operator.id} and list = ${view.list}) < ${VIEWS_MAX}
    on conflict (operator_id, list, name_key) do nothing returning id`.execute(db);
  return rows[0]?.id ?? ((await hasName({ db, operator }, view)) ? 'taken' : 'none');
}

async function hasName({ db, operator }: Pick<Ctx, 'db' | 'operator'>, view: ViewSave): Promise<boolean> {
  const { rows } = await sql`select 1 from saved_view
    where operator_id = ${operator.id} and list = ${view.list} and name_key = lower(${view.name})`.execute(db);
  return rows.length > 0;
}

/** Updates a view; 'none' if the operator no longer has it. */
export async function updateView({ db, operator, now }: Ctx, id: number, view: ViewSave): Promise<WriteResult> {
  try {
    const { numAffectedRows } = await sql`
      update saved_view set name = ${view.name}, query = ${view.query}, columns = ${columnsOf(view)},
        shared = ${view.shared}, updated_at = ${now}
      where id = ${id} and operator_id = ${operator.id} and list = ${view.list}`.execute(db);
    return numAffectedRows === 1n ? id : 'none';
  } catch (error) {
    if (brokenConstraint(error) === 'saved_view_one_name') return 'taken';
    throw error;
  }
}

export async function deleteView({ db, operator }: Ctx, id: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from saved_view where id = ${id} and operator_id = ${operator.id}`.execute(db);
  return numAffectedRows === 1n;
}
