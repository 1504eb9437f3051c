import type { ActionTable, NounFacts } from '../../authority/action.ts';

export const commandStates = { 0: '待发送', 1: '已发送', 2: '已执行', 3: '已失败', 4: '结果不明' } as const;

export const commandActions = {
  retry: { summary: '重发指令', target: 'command', reason: 'optional', guard: 'none' },
  resolve: { summary: '确认指令结果', target: 'command', reason: 'optional', guard: 'none' },
} as const satisfies ActionTable;

export const commandFacts = {
  actions: commandActions,
  targets: { command: { label: '平台指令', path: '/command?open={id}', states: commandStates } },
  notifications: {
    'command.unknown': { label: '指令结果不明', rings: true },
    'command.retried': { label: '指令已重发' },
    'command.resolved': { label: '指令结果已确认' },
  },
} as const satisfies NounFacts;
