import type { ActionTable, NounFacts } from '../../authority/action.ts';

export const installationActions = {
  live: {
    summary: '上线（仅限顶级管理员）',
    fresh: true,
    audit: '上线',
    guard: { tightens: '上线后不再接受历史导入' },
  },
} as const satisfies ActionTable;

export const installationFacts = {
  actions: installationActions,
  // The chain is the target of an alarm about a head that the platform has not confirmed.
  targets: { installation: { label: '安装' }, audit: { label: '审计链', path: '/audit' } },
} as const satisfies NounFacts;
