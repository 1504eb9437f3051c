import { ABILITY } from '../../authority/ability.ts';
import type { ActionTable, NounFacts } from '../../authority/action.ts';

export const RULE = { draft: 0, trial: 1, effective: 2, disabled: 3 } as const;
export const ruleStates = { 0: '草稿', 1: '试运行', 2: '生效', 3: '停用' } as const;

const onRules = { ability: ABILITY.platform, reason: 'optional', fresh: true } as const;

export const ruleActions = {
  save: {
    ...onRules,
    summary: '保存规则',
    approval: '修改生效的规则',
    guard: { loosens: '修改生效的规则', tightens: '新建规则，修改草稿、试运行或停用的规则' },
  },
  state: {
    ...onRules,
    summary: '变更规则状态',
    approval: '变更规则状态',
    guard: { loosens: '让规则生效，停用或撤下生效的规则', tightens: '试运行，停用未生效的规则' },
  },
} as const satisfies ActionTable;

export const ruleFacts = {
  actions: ruleActions,
  targets: { rule: { label: '规则', path: '/rule?open={id}', states: ruleStates } },
} as const satisfies NounFacts;
