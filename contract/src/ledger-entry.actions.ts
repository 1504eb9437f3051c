import { ABILITY } from './ability.ts';
import type { ActionTable } from './action.ts';

export const ledgerEntryActions = {
  check: {
    summary: '标记已核对',
    short: '核对',
    ability: ABILITY.assets,
    target: 'fund',
    from: [0, 2],
    reason: 'optional',
    guard: 'none',
  },
  doubt: {
    summary: '标记存疑',
    short: '存疑',
    ability: ABILITY.assets,
    target: 'fund',
    from: [0, 1],
    reason: 'optional',
    guard: 'none',
  },
  reset: {
    summary: '撤销核对',
    short: '撤销',
    ability: ABILITY.assets,
    target: 'fund',
    from: [1, 2],
    reason: 'optional',
    guard: 'none',
  },
} as const satisfies ActionTable;
