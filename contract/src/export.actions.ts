import { ABILITY } from './ability.ts';
import type { ActionTable } from './action.ts';

export const exportJobActions = {
  cancel: { summary: '取消导出任务', ability: ABILITY.export, target: 'export', guard: 'none' },
  remove: { summary: '删除导出任务', ability: ABILITY.export, target: 'export', guard: 'none' },
} as const satisfies ActionTable;
