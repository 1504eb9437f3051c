import { ABILITY } from './ability.ts';
import type { ActionTable, NounFacts } from './action.ts';

export const signalStates = { 0: '草稿', 1: '进行中', 2: '已结束' } as const;

export const signalActions = {
  add: { summary: '新增信号', ability: ABILITY.markets, reason: 'optional', guard: 'none' },
  change: { summary: '修改信号', ability: ABILITY.markets, reason: 'optional', guard: 'none' },
} as const satisfies ActionTable;

export const signalFacts = {
  actions: signalActions,
  targets: { signal: { label: '跟单信号', path: '/signal?open={id}', states: signalStates } },
} as const satisfies NounFacts;
