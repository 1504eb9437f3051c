import { call } from './endpoint.ts';
import type { ViewCounts, ViewDel, ViewOf, ViewRow, ViewSave } from './view.schema.ts';

/** Views that one operator keeps of one list, and that those above it show it of that list. */
export const VIEWS_MAX = 30;
export const VIEW_NAME_MAX = 20;
export const VIEW_QUERY_MAX = 2000;
/** Bytes of the columns that a view brings along, as JSON. */
export const VIEW_COLUMNS_MAX = 8192;

/** A view is a list's address under a name; shared, it is seen by everybody below its owner. */
export const view = {
  list: call<ViewOf, ViewRow[]>()({
    method: 'GET',
    path: 'view/list',
    summary: '列表的视图',
    kind: 'read',
  }),
  counts: call<ViewOf, ViewCounts>()({
    method: 'GET',
    path: 'view/counts',
    summary: '视图的记录数',
    kind: 'read',
  }),
  save: call<ViewSave, ViewRow>()({
    method: 'POST',
    path: 'view/save',
    summary: '保存视图',
    kind: 'action',
    target: 'view',
    targetBy: 'id',
  }),
  del: call<ViewDel, null>()({
    method: 'POST',
    path: 'view/del',
    summary: '删除视图',
    kind: 'action',
    target: 'view',
    targetBy: 'id',
  }),
};
