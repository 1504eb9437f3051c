import type { NounFacts } from '../../authority/action.ts';

export const TRANSFER = { done: 1, failed: 2 } as const;
export const transferStates = { 1: '成功', 2: '失败' } as const;

export const internalTransferFacts = {
  actions: {},
  targets: {
    internalTransfer: {
      label: '内部转账',
      path: '/internalTransfer?id={id}&open={id}',
      isSearchable: true,
      ledgerOnly: true,
      states: transferStates,
    },
  },
} as const satisfies NounFacts;
