import { ABILITY } from '../../authority/ability.ts';
import type { ActionTable, NounFacts } from '../../authority/action.ts';

const onSettings = {
  ability: ABILITY.platform,
  reason: 'optional',
  fresh: true,
  guard: { loosens: '放宽的设置', tightens: '收紧的设置' },
} as const;

export const configActions = {
  save: { ...onSettings, summary: '保存设置', approval: '修改系统设置' },
  restore: { ...onSettings, summary: '恢复设置', approval: '恢复系统设置' },
} as const satisfies ActionTable;

export const configFacts = {
  actions: configActions,
  targets: { config: { label: '系统设置', path: '/config?open={id}' } },
} as const satisfies NounFacts;
