import { ABILITY } from '../../authority/ability.ts';
import type { ActionTable, NounFacts } from '../../authority/action.ts';

export const exportJobActions = {
  cancel: { summary: '取消导出任务', ability: ABILITY.export, target: 'export', guard: 'none' },
  remove: { summary: '删除导出任务', ability: ABILITY.export, target: 'export', guard: 'none' },
} as const satisfies ActionTable;

export const exportJobFacts = {
  actions: exportJobActions,
  targets: { export: { label: '导出任务' } },
  notifications: {
    'export.done': { label: '导出文件已生成', rings: true },
    'export.failed': { label: '导出任务失败', rings: true },
  },
} as const satisfies NounFacts;
