import type { ActionTable, NounFacts } from '../../authority/action.ts';

export const viewActions = {
  save: { summary: '保存视图', target: 'view', guard: 'none' },
  del: { summary: '删除视图', target: 'view', guard: 'none' },
} as const satisfies ActionTable;

export const viewFacts = {
  actions: viewActions,
  targets: { view: { label: '视图' } },
} as const satisfies NounFacts;
