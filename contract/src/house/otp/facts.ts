import type { ActionTable, NounFacts } from '../../authority/action.ts';

export const otpActions = {
  setup: { summary: '设置一次性验证码', audit: '开始设置一次性验证码', guard: 'none' },
  confirm: { summary: '启用一次性验证码', guard: { tightens: '启用自己的验证码' } },
  disable: { summary: '停用一次性验证码', guard: 'none' },
  recovery: { summary: '更换恢复码', guard: 'none' },
  fresh: { summary: '验证一次性验证码', guard: 'none' },
} as const satisfies ActionTable;

export const otpFacts = {
  actions: otpActions,
} as const satisfies NounFacts;
