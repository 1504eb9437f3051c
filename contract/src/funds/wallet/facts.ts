import type { NounFacts } from '../../authority/action.ts';

export const walletFacts = {
  actions: {},
  targets: {
    chainFee: { label: '链上手续费', path: '/house/entry?type=28&refId={id}', ledgerOnly: true },
  },
} as const satisfies NounFacts;
