import { ABILITY } from './ability.ts';
import type { ActionTable } from './action.ts';

export const announceActions = {
  add: { summary: '新增公告', ability: ABILITY.platform, reason: 'optional', guard: 'none' },
  save: { summary: '保存公告', ability: ABILITY.platform, reason: 'optional', guard: 'none' },
  del: { summary: '删除公告', ability: ABILITY.platform, reason: 'optional', guard: 'none' },
} as const satisfies ActionTable;
