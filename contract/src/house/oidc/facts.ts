import type { ActionTable, NounFacts } from '../../authority/action.ts';

export const oidcActions = {
  begin: { summary: '开始企业登录', guard: 'none' },
  login: { summary: '企业登录', guard: 'none' },
} as const satisfies ActionTable;

export const oidcFacts = {
  actions: oidcActions,
} as const satisfies NounFacts;
