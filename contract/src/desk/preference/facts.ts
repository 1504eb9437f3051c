import type { ActionTable, NounFacts } from '../../authority/action.ts';

export const preferenceActions = {
  save: { summary: '保存自己的偏好设置', audit: '保存偏好设置', guard: 'none' },
} as const satisfies ActionTable;

export const preferenceFacts = {
  actions: preferenceActions,
  targets: { preference: { label: '偏好设置' } },
} as const satisfies NounFacts;
