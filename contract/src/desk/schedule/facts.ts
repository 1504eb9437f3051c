import { ABILITY } from '../../authority/ability.ts';
import type { ActionTable, NounFacts } from '../../authority/action.ts';

export const scheduleActions = {
  add: { summary: '新建定时导出', ability: ABILITY.export, guard: 'none' },
  save: { summary: '修改定时导出', ability: ABILITY.export, target: 'schedule', guard: 'none' },
  del: { summary: '删除定时导出', ability: ABILITY.export, target: 'schedule', danger: true, guard: 'none' },
} as const satisfies ActionTable;

export const scheduleFacts = {
  actions: scheduleActions,
  targets: { schedule: { label: '定时导出', path: '/channel' } },
  notifications: { 'schedule.failed': { label: '定时导出未执行', rings: true } },
} as const satisfies NounFacts;
