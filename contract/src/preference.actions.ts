import type { ActionTable } from './action.ts';

export const preferenceActions = {
  save: { summary: '保存自己的偏好设置', audit: '保存偏好设置', guard: 'none' },
} as const satisfies ActionTable;
