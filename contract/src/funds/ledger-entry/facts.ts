import { ABILITY } from '../../authority/ability.ts';
import type { ActionTable, NounFacts } from '../../authority/action.ts';

export const LEDGER_ENTRY_CHECK = { open: 0, checked: 1, doubtful: 2 } as const;
/** Reconciliation states of an entry. */
export const ledgerEntryStates = { 0: '未核对', 1: '已核对', 2: '存疑' } as const;

const mark = { ability: ABILITY.assets, target: 'fund', reason: 'optional', guard: 'none' } as const;

export const ledgerEntryActions = {
  check: { ...mark, summary: '标记已核对', short: '核对', from: [0, 2] },
  doubt: { ...mark, summary: '标记存疑', short: '存疑', from: [0, 1] },
  reset: { ...mark, summary: '撤销核对', short: '撤销', from: [1, 2] },
} as const satisfies ActionTable;

export const ledgerEntryFacts = {
  actions: ledgerEntryActions,
  targets: {
    fund: { label: '资金记录', path: '/fund/record', states: ledgerEntryStates },
    entry: { label: '资金流水', path: '/fund/record?id={id}&open={id}' },
    corporate: { label: '权益调整', path: '/fund/record?type=27&refId={id}' },
  },
} as const satisfies NounFacts;
