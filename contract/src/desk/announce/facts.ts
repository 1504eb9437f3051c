import { ABILITY } from '../../authority/ability.ts';
import type { ActionTable, NounFacts } from '../../authority/action.ts';

export const ANNOUNCE = { draft: 0, published: 1 } as const;
export const announceStates = { 0: '草稿', 1: '发布' } as const;

const FOREIGN_LINKS = '含有其他网站的链接';

export const announceActions = {
  add: { summary: '新增公告', ability: ABILITY.platform, reason: 'optional', guard: { loosens: FOREIGN_LINKS } },
  save: { summary: '保存公告', ability: ABILITY.platform, reason: 'optional', guard: { loosens: FOREIGN_LINKS } },
  del: { summary: '删除公告', ability: ABILITY.platform, reason: 'optional', guard: 'none' },
  imageAdd: { summary: '上传公告图片', ability: ABILITY.platform, reason: 'optional', guard: 'none' },
} as const satisfies ActionTable;

export const announceFacts = {
  actions: announceActions,
  targets: { announce: { label: '公告', path: '/announce?open={id}&id={id}', states: announceStates } },
} as const satisfies NounFacts;
