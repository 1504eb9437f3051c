import type { ActionTable } from './action.ts';

export const alarmActions = {
  close: {
    summary: '关闭告警',
    target: 'alarm',
    reason: 'required',
    reasons: ['已向用户追回', '已从用户资产扣减', '平台已更正', '已核实，无需处理'],
    guard: 'none',
  },
} as const satisfies ActionTable;
