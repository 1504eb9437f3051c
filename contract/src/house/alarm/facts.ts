import type { ActionTable, NounFacts } from '../../authority/action.ts';

export const ALARM = { open: 0, closed: 1 } as const;
export const alarmStates = { 0: '未处理', 1: '已关闭' } as const;

export const alarmActions = {
  close: {
    summary: '关闭告警',
    target: 'alarm',
    reason: 'required',
    reasons: ['已向用户追回', '已从用户资产扣减', '平台已更正', '已核实，无需处理'],
    guard: 'none',
  },
} as const satisfies ActionTable;

export const alarmFacts = {
  actions: alarmActions,
  targets: { alarm: { label: '告警', path: '/alarm?open={id}', states: alarmStates } },
  notifications: {
    'alarm.raised': { label: '告警', rings: true },
    'alarm.closed': { label: '告警已关闭' },
    'alarm.overdue': { label: '告警超时未处理', rings: true },
  },
} as const satisfies NounFacts;
