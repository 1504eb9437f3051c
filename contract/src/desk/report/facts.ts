import type { ActionTable, NounFacts } from '../../authority/action.ts';

export const reportActions = {
  make: { summary: '生成负债证明', reason: 'optional', guard: 'none' },
} as const satisfies ActionTable;

export const reportFacts = {
  actions: reportActions,
  targets: { report: { label: '负债证明' } },
} as const satisfies NounFacts;
