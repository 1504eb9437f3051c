import type { CallSpec } from '@hengtai/contract/endpoint';
import { endpoints } from '@hengtai/contract/index.schema';
import { PAGE_MAX, PAGE_SIZE_MAX } from '@hengtai/contract/list';
import { refusals } from '@hengtai/contract/refusals';
import type { Endpoint } from '@hengtai/contract/schema';
import { VIEWS_MAX, VIEW_COLUMNS_MAX, view as calls } from '@hengtai/contract/view';
import type { ViewCounts, ViewDel, ViewRow, ViewSave } from '@hengtai/contract/view.schema';
import { type App, type Ctx, can } from '../context.ts';
import { defineAction } from '../http/action.ts';
import type { Subject } from '../http/action-audit.ts';
import type { AnyHandler, ReadHandler } from '../http/handler.ts';
import { queryParser } from '../http/input.ts';
import { Refused, refuse, refuseField } from '../refuse.ts';
import { deleteView, findView, insertView, listViews, updateView } from './view.store.ts';

interface Counted {
  noun: string;
  name: string;
  call: CallSpec;
  read: (query: unknown) => unknown;
}

/** Every list of the contract, by the path of its call. */
const lists: ReadonlyMap<string, Counted> = new Map(
  Object.entries<Record<string, Endpoint>>(endpoints).flatMap(([noun, ends]) =>
    Object.entries(ends).flatMap(([name, { call, input }]): [string, Counted][] =>
      call.kind === 'list' ? [[call.path, { noun, name, call, read: queryParser(input, true) }]] : [],
    ),
  ),
);

/** The list that a view is of; an operator who may not see the list sees no views of it. */
function listOf({ operator }: Pick<Ctx, 'operator'>, path: string): Counted {
  const list = lists.get(path);
  if (!list) throw refuseField('list', '格式不正确');
  if (list.call.ability !== undefined && !can(operator, list.call.ability)) throw refuse(refusals.forbidden);
  return list;
}

export async function viewsOf(ctx: Ctx, path: string): Promise<ViewRow[]> {
  listOf(ctx, path);
  return listViews(ctx, path);
}

/** The handlers of all calls, by noun. */
export type Handlers = Readonly<Record<string, Readonly<Record<string, AnyHandler>>>>;

/**
 * How many rows each view of a list has for this operator: the list itself is asked, so scope and filters are its own.
 * A view whose filters the list no longer takes has no count.
 */
export async function countViews(ctx: Ctx, app: App, path: string, handlers: Handlers): Promise<ViewCounts> {
  const list = listOf(ctx, path);
  // A call that has a list is answered by a reader of it.
  const reader = handlers[list.noun]?.[list.name] as ReadHandler<unknown, { total: number }>;
  const count = async (query: string): Promise<number | null> => {
    try {
      const { page: _page, size: _size, sort: _sort, ...filters } = valuesOf(list, query);
      // Past the last page there is a total and no row.
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

/** @throws Refused 422 when the list does not take it */
function valuesOf({ read }: Counted, query: string): Record<string, unknown> {
  const pairs = [...new URLSearchParams(query)];
  const values: Record<string, string> = Object.fromEntries(pairs);
  if (Object.keys(values).length < pairs.length) throw refuseField('query', '重复');
  return read(values) as Record<string, unknown>;
}

/** Keeps a view, or changes one of one's own. */
export const viewSave = defineAction<ViewSave, ViewRow, ViewRow | null>({
  name: 'view.save',
  call: calls.save,
  validate: ({ list: path, query, columns }) => {
    const list = lists.get(path);
    try {
      if (list) valuesOf(list, query);
    } catch (error) {
      if (error instanceof Refused) throw refuseField('query', `：${error.message}`);
      throw error;
    }
    if (columns && Buffer.byteLength(JSON.stringify(columns)) > VIEW_COLUMNS_MAX)
      throw refuseField('columns', '内容过大');
  },
  authorize: (ctx, input) => void listOf(ctx, input.list),
  load: async (ctx, { id, list }) => (id === undefined ? null : own(await findView(ctx, id), list)),
  execute: async (ctx, input, target) => {
    const written = target ? await updateView(ctx, target.id, input) : await insertView(ctx, input);
    if (written === 'taken') throw refuse(refusals.viewNameTaken);
    if (written === 'none' && target) throw refuse(refusals.notFound);
    if (written === 'none') throw refuseField('list', `：每个列表最多保存 ${VIEWS_MAX} 个视图`);
    const saved = await findView(ctx, written);
    if (!saved) throw refuse(refusals.notFound);
    return { data: saved, subject: subjectOf(ctx, saved), before: target && shown(target), after: shown(saved) };
  },
});

export const viewDel = defineAction<ViewDel, null, ViewRow>({
  name: 'view.del',
  call: calls.del,
  load: async (ctx, { id }) => own(await findView(ctx, id)),
  execute: async (ctx, { id }, target) => {
    if (!(await deleteView(ctx, id))) throw refuse(refusals.notFound);
    return { data: null, subject: subjectOf(ctx, target), before: shown(target) };
  },
});

/** A view that somebody above has shared is there for everybody below, and still its owner's to change. */
function own(found: ViewRow | undefined, list?: string): ViewRow | undefined {
  if (!found || (list !== undefined && found.list !== list)) return undefined;
  if (found.mine === 0) throw refuse(refusals.forbidden, '只有创建者可以修改共享的视图');
  return found;
}

const subjectOf = ({ operator }: Ctx, { id }: ViewRow): Subject => ({ type: 'view', id, agentId: operator.id });
const shown = ({ list, name, query, shared, columns }: ViewRow) => ({
  list,
  name,
  query,
  shared,
  columns: columns !== null,
});
