import type { ActionTable, NounFacts } from '../../authority/action.ts';

/** Setting: the hour of the day, in the report zone, after which the nightly proof is made; `PROOF_HOUR_OFF` is none. */
export const PROOF_HOUR = 'report.proofHour';
export const PROOF_HOUR_OFF = 24;
/** Setting: whether the statement of assets lists each wallet instead of sums by coin and network. */
export const PROOF_WALLETS = 'report.proofWallets';

export const reportActions = {
  make: { summary: '生成负债证明', reason: 'optional', guard: 'none' },
} as const satisfies ActionTable;

export const reportFacts = {
  actions: reportActions,
  targets: { report: { label: '负债证明' } },
} as const satisfies NounFacts;
