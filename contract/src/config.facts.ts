import { ABILITY } from './ability.ts';
import type { ActionTable, NounFacts } from './action.ts';

export const configActions = {
  save: {
    summary: '保存设置',
    ability: ABILITY.platform,
    reason: 'optional',
    fresh: true,
    approval: '修改系统设置',
    guard: { loosens: '放宽的设置', tightens: '收紧的设置' },
  },
  restore: {
    summary: '恢复设置',
    ability: ABILITY.platform,
    reason: 'optional',
    fresh: true,
    approval: '恢复系统设置',
    guard: { loosens: '放宽的设置', tightens: '收紧的设置' },
  },
} as const satisfies ActionTable;

export const configFacts = {
  actions: configActions,
  targets: { config: { label: '系统设置', path: '/config?open={id}' } },
} as const satisfies NounFacts;
