import { ABILITY } from './ability.ts';
import type { ActionTable, NounFacts } from './action.ts';

/** Reconciliation states of an entry. */
export const ledgerEntryStates = { 0: '未核对', 1: '已核对', 2: '存疑' } as const;

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

export const ledgerEntryFacts = {
  actions: ledgerEntryActions,
  targets: {
    fund: { label: '资金记录', path: '/fund/record', states: ledgerEntryStates },
    entry: { label: '资金流水', path: '/fund/record?id={id}&open={id}' },
  },
} as const satisfies NounFacts;
