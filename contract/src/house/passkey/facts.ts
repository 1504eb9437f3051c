import type { ActionTable, NounFacts } from '../../authority/action.ts';

export const passkeyActions = {
  enrol: { summary: '添加通行密钥', audit: '开始添加通行密钥', fresh: true, guard: 'none' },
  add: { summary: '保存通行密钥', audit: '添加通行密钥', guard: { tightens: '添加自己的通行密钥' } },
  rename: { summary: '重命名通行密钥', guard: 'none' },
  del: { summary: '移除通行密钥', danger: true, fresh: true, guard: 'none' },
  begin: { summary: '开始通行密钥验证', guard: 'none' },
  fresh: { summary: '用通行密钥验证身份', guard: 'none' },
  loginBegin: { summary: '开始通行密钥登录', guard: 'none' },
  login: { summary: '用通行密钥登录', guard: 'none' },
} as const satisfies ActionTable;

export const passkeyFacts = {
  actions: passkeyActions,
} as const satisfies NounFacts;
