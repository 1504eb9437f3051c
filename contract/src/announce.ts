import type { IdInput } from './schema.ts';
import { announceStates, announceActions } from './announce.facts.ts';
import { ABILITY } from './ability.ts';
import type { AnnounceAdd, AnnounceRow, AnnounceSave } from './announce.schema.ts';
import { action, call } from './endpoint.ts';
import { announceLangs, announcePlatforms } from './input-values.ts';
import type { ListInput, Page } from './list.ts';

export const ANNOUNCE = { draft: 0, published: 1 } as const;
export type AnnounceState = keyof typeof announceStates;

/** Elements allowed in an announcement, each with its attributes. Other elements are removed; their text stays. */
export const announceTags: Readonly<Record<string, readonly string[]>> = {
  p: [],
  br: [],
  h2: [],
  h3: [],
  strong: [],
  em: [],
  u: [],
  s: [],
  ul: [],
  ol: [],
  li: [],
  blockquote: [],
  a: ['href'],
};
/** URL schemes allowed in links. */
export const announceSchemes = ['http', 'https', 'mailto'] as const;

const list = {
  filters: [
    { field: 'title', label: '标题', kind: 'prefix', type: 'text' },
    { field: 'lang', label: '语言', kind: 'eq', type: 'text', options: announceLangs },
    { field: 'platform', label: '展示端', kind: 'eq', type: 'int', options: announcePlatforms },
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: announceStates },
    { field: 'id', label: '编号', kind: 'eq', type: 'id', more: true },
  ],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'state', title: '状态', kind: 'state', labels: announceStates },
    { field: 'lang', title: '语言', kind: 'state', labels: announceLangs },
    { field: 'title', title: '标题', kind: 'text' },
    { field: 'platform', title: '展示端', kind: 'state', labels: announcePlatforms },
    { field: 'by', title: '操作人', kind: 'operator' },
    { field: 'createdAt', title: '创建时间', kind: 'time' },
    { field: 'updatedAt', title: '更新时间', kind: 'time' },
    { field: 'content', title: '内容', kind: 'text' },
  ],
  sortable: ['updatedAt'],
  views: [
    { name: '已发布', query: 'state=1' },
    { name: '草稿', query: 'state=0' },
  ],
} as const;

export const announce = {
  list: call<ListInput<typeof list>, Page<AnnounceRow>>()({
    method: 'GET',
    path: 'announce/list',
    summary: '公告列表',
    kind: 'list',
    ability: ABILITY.platform,
    list,
  }),
  detail: call<IdInput, AnnounceRow>()({
    method: 'GET',
    path: 'announce/detail',
    summary: '公告详情',
    kind: 'read',
    ability: ABILITY.platform,
  }),
  /** Adds one announcement in several languages in one transaction. */
  add: action<AnnounceAdd, AnnounceRow[]>()(announceActions.add, { path: 'announce/add' }),
  save: action<AnnounceSave, AnnounceRow>()(announceActions.save, { path: 'announce/save' }),
  del: action<IdInput & { reason?: string }, AnnounceRow>()(announceActions.del, { path: 'announce/del' }),
};
