import type { IdInput } from '../../wire/schema.ts';
import { announceStates, announceActions } from './facts.ts';
import { ABILITY } from '../../authority/ability.ts';
import type {
  AnnounceAdd,
  AnnounceImage,
  AnnounceImageAdd,
  AnnounceImageInput,
  AnnounceRow,
  AnnounceSave,
} from './schema.ts';
import { action, call, listCall, read } from '../../wire/endpoint.ts';
import { ANNOUNCE_IMAGE_MAX, announceLangs, announcePlatforms } from '../../wire/input-values.ts';

export const announcePinned = { 0: '未置顶', 1: '置顶' } as const;

/** The languages in which an announcement is missing. */
export const missingLangs = ({ langs }: Pick<AnnounceRow, 'langs'>): string[] =>
  Object.keys(announceLangs).filter((lang) => !langs.includes(lang));

/** How many languages an announcement has, and which it lacks. */
export function langsText(row: Pick<AnnounceRow, 'langs'>): string {
  const all = Object.entries(announceLangs);
  const missing = missingLangs(row).map((lang) => announceLangs[lang as keyof typeof announceLangs]);
  const count = `${all.length - missing.length}/${all.length}`;
  return missing.length === 0 ? count : `${count}，缺 ${missing.join('、')}`;
}

const list = {
  filters: [
    { field: 'title', label: '标题', kind: 'contains', type: 'text' },
    { field: 'lang', label: '语言', kind: 'eq', type: 'text', options: announceLangs },
    { field: 'platform', label: '展示端', kind: 'eq', type: 'int', options: announcePlatforms },
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: announceStates },
    { field: 'pinned', label: '置顶', kind: 'eq', type: 'int', options: announcePinned, more: true },
    { field: 'scheduled', label: '定时', kind: 'eq', type: 'int', options: { 0: '未定时', 1: '定时发布' }, more: true },
    { field: 'group', label: '公告组', kind: 'eq', type: 'id', more: true },
    { field: 'id', label: '编号', kind: 'eq', type: 'id', more: true },
  ],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'state', title: '状态', kind: 'state', labels: announceStates },
    { field: 'lang', title: '语言', kind: 'state', labels: announceLangs },
    { field: 'title', title: '标题', kind: 'text' },
    { field: 'platform', title: '展示端', kind: 'state', labels: announcePlatforms },
    { field: 'pinned', title: '置顶', kind: 'state', labels: announcePinned },
    { field: 'publishAt', title: '定时发布', kind: 'time' },
    { field: 'langs', title: '语言完整度', kind: 'text', text: langsText },
    { field: 'group', title: '公告组', kind: 'id' },
    { field: 'by', title: '操作人', kind: 'operator' },
    { field: 'createdAt', title: '创建时间', kind: 'time' },
    { field: 'updatedAt', title: '更新时间', kind: 'time' },
    { field: 'content', title: '内容', kind: 'text' },
  ],
  sortable: ['updatedAt'],
  views: [
    { name: '已发布', query: 'state=1' },
    { name: '草稿', query: 'state=0' },
    { name: '定时发布', query: 'scheduled=1' },
  ],
} as const;

export const announce = {
  list: listCall<AnnounceRow>()('announce/list', '公告列表', list, { ability: ABILITY.platform }),
  detail: read<IdInput, AnnounceRow>()('announce/detail', '公告详情', { ability: ABILITY.platform }),
  /** Adds one announcement in several languages in one transaction. */
  add: action<AnnounceAdd, AnnounceRow[]>()(announceActions.add, 'announce/add'),
  save: action<AnnounceSave, AnnounceRow>()(announceActions.save, 'announce/save', { record: 'detail' }),
  del: action<IdInput & { reason?: string }, AnnounceRow>()(announceActions.del, 'announce/del'),
  image: call<AnnounceImageInput, null>()({
    method: 'GET',
    path: 'announce/image',
    summary: '公告图片',
    kind: 'image',
    immutable: true,
    ability: ABILITY.platform,
  }),
  /** Stores an image for the content of an announcement. Images that no announcement uses are deleted after a day. */
  imageAdd: action<AnnounceImageAdd, AnnounceImage>()(announceActions.imageAdd, 'announce/image/add', {
    bodyBytesMax: Math.ceil((ANNOUNCE_IMAGE_MAX * 4) / 3) + 4_096,
  }),
};
