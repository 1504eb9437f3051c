import type { IdInput } from '../../wire/schema.ts';
import { action, read } from '../../wire/endpoint.ts';
import { viewActions } from './facts.ts';
import type { ViewCounts, ViewOf, ViewRow, ViewSave } from './schema.ts';

/** Maximum views of one list: own ones, and separately those shared by operators above. */
export const VIEWS_MAX = 30;
/** Maximum bytes of a view's columns as JSON. */
export const VIEW_COLUMNS_MAX = 8192;

/** A view is a list's address under a name. Agents below its owner see a shared view. */
export const view = {
  list: read<ViewOf, ViewRow[]>()('view/list', '列表的视图'),
  counts: read<ViewOf, ViewCounts>()('view/counts', '视图的记录数'),
  save: action<ViewSave, ViewRow>()(viewActions.save, 'view/save', { record: 'list' }),
  del: action<IdInput, null>()(viewActions.del, 'view/del'),
};
