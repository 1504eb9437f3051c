import { PAGE_MAX, PAGE_SIZE_MAX } from '@hengtai/contract/wire/list';
import { refusals } from '@hengtai/contract/wire/refusals';
import { stableJson } from '@hengtai/contract/wire/stable-json';
import type { IdInput } from '@hengtai/contract/wire/schema';
import { VIEWS_MAX, VIEW_COLUMNS_MAX, view as calls } from '@hengtai/contract/desk/view/calls';
import type { ViewCounts, ViewRow, ViewSave } from '@hengtai/contract/desk/view/schema';
import type { App, Ctx } from '../../../app/context.ts';
import { defineAction } from '../../../actions/action.ts';
import { houseSubject } from '../../../actions/action-audit.ts';
import type { AnyHandler, ReadHandler } from '../../../http/handler.ts';
import { Refused, refuse, refuseField } from '../../../app/refuse.ts';
import { lists, parseFilters, requireList } from './list-call.rules.ts';
import { deleteView, findView, insertView, listViews, updateView } from './view.store.ts';

/** @throws Refused 422 for an unknown list, 403 for one that the operator may not see */
export async function listVisibleViews(ctx: Ctx, path: string): Promise<ViewRow[]> {
  requireList(ctx, path);
  return listViews(ctx, path);
}

/** The handlers of all calls, by noun. */
export type Handlers = Readonly<Record<string, Readonly<Record<string, AnyHandler>>>>;

/**
 * Counts the rows of each view of a list by calling the list, so that its scope and filters apply. A view with filters
 * that the list no longer accepts has the count null.
 */
export async function countViews(ctx: Ctx, app: App, path: string, handlers: Handlers): Promise<ViewCounts> {
  const list = requireList(ctx, path);
  // The cast is safe: calls of the kind `list` have a read handler.
  const reader = handlers[list.noun]?.[list.name] as ReadHandler<unknown, { total: number }>;
  const count = async (query: string): Promise<number | null> => {
    try {
      const { page: _page, size: _size, sort: _sort, ...filters } = parseFilters(list, query);
      // A page after the last one returns the total without rows.
      return (await reader(ctx, { ...filters, page: PAGE_MAX, size: PAGE_SIZE_MAX }, app)).total;
    } catch (error) {
      if (error instanceof Refused) return null;
      throw error;
    }
  };
  const built: (number | null)[] = [];
  for (const { query } of list.call.list?.views ?? []) built.push(await count(query));
  const saved: { id: number; count: number | null }[] = [];
  for (const { id, query } of await listViews(ctx, path)) saved.push({ id, count: await count(query) });
  return { built, saved };
}

/** Inserts a view, or updates one of the operator's own. */
export const viewSave = defineAction<ViewSave, ViewRow, ViewRow | null>({
  call: calls.save,
  validate: ({ list: path, query, columns }) => {
    const list = lists.get(path);
    try {
      if (list) parseFilters(list, query);
    } catch (error) {
      if (error instanceof Refused) throw refuseField('query', `：${error.message}`);
      throw error;
    }
    if (columns && Buffer.byteLength(JSON.stringify(columns)) > VIEW_COLUMNS_MAX)
      throw refuseField('columns', '内容过大');
  },
  authorize: (ctx, input) => void requireList(ctx, input.list),
  load: async (ctx, { id, list }) => (id === undefined ? null : requireOwn(await findView(ctx, id), list)),
  setting: {
    record: (target, ctx) => (target ? { data: target, subject: subjectOf(ctx, target) } : undefined),
    isSet: (target, { columns = null, ...input }) =>
      target !== null && stableJson(target) === stableJson({ ...target, ...input, columns }),
  },
  execute: async (ctx, input, target) => {
    const result = target ? await updateView(ctx, target.id, input) : await insertView(ctx, input);
    if (result === 'taken') throw refuse(refusals.viewNameTaken);
    if (result === 'none' && target) throw refuse(refusals.notFound);
    if (result === 'none') throw refuseField('list', `：每个列表最多保存 ${VIEWS_MAX} 个视图`);
    const saved = await findView(ctx, result);
    if (!saved) throw refuse(refusals.notFound);
    return {
      data: saved,
      subject: subjectOf(ctx, saved),
      before: target && auditedFields(target),
      after: auditedFields(saved),
    };
  },
});

export const viewDel = defineAction<IdInput, null, ViewRow>({
  call: calls.del,
  load: async (ctx, { id }) => requireOwn(await findView(ctx, id)),
  execute: async (ctx, { id }, target) => {
    if (!(await deleteView(ctx, id))) throw refuse(refusals.notFound);
    return { data: null, subject: subjectOf(ctx, target), before: auditedFields(target) };
  },
});

/** @throws Refused 403 for a shared view of another operator, which only its owner may change */
function requireOwn(found: ViewRow | undefined, list?: string): ViewRow | undefined {
  if (!found || (list !== undefined && found.list !== list)) return undefined;
  if (found.mine === 0) throw refuse(refusals.forbidden, '只有创建者可以修改共享的视图');
  return found;
}

const subjectOf = houseSubject('view');
const auditedFields = ({ list, name, query, shared, columns }: ViewRow) => ({
  list,
  name,
  query,
  shared,
  columns: columns !== null,
});
