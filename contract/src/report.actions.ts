import type { ActionTable } from './action.ts';

export const reportActions = {
  make: { summary: '生成负债证明', reason: 'optional', guard: 'none' },
} as const satisfies ActionTable;
