import type { ActionTable } from './action.ts';

export const commandActions = {
  retry: { summary: '重发指令', target: 'command', reason: 'optional', guard: 'none' },
  resolve: { summary: '确认指令结果', target: 'command', reason: 'optional', guard: 'none' },
} as const satisfies ActionTable;
