import { ABILITY } from './ability.ts';
import type { ActionTable } from './action.ts';

export const signalActions = {
  add: { summary: '新增信号', ability: ABILITY.markets, reason: 'optional', guard: 'none' },
  change: { summary: '修改信号', ability: ABILITY.markets, reason: 'optional', guard: 'none' },
} as const satisfies ActionTable;
