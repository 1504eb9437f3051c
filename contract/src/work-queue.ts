import type { CountKey } from './notification.ts';
import type { WithdrawRisk } from './withdraw.ts';

/** Prefix of the settings with the target times of the queues, in minutes; 0 means no target. */
export const QUEUE_TARGET_PREFIX = 'queue.target.';

/** The work queues of the home page, the gravest first, with the default target time of each in minutes. */
export const queueTargets = {
  withdrawUnknown: 15,
  commandUnknown: 15,
  alarmOpen: 30,
  withdrawFailed: 60,
  withdrawReview: 30,
  approvalOpen: 60,
  rechargeHeld: 120,
  ieoReview: 240,
  authReview: 240,
  marketHalted: 60,
  serviceUnread: 10,
} as const satisfies Partial<Record<CountKey, number>>;
export type QueueKey = keyof typeof queueTargets;
export const queueKeys = Object.keys(queueTargets) as QueueKey[];

/** Risks of withdrawals, the gravest first: doubts about the money, then about the person, then unusual requests. */
export const risksByGravity = [
  'ledger_mismatch',
  'manual_balance',
  'credential_changed',
  'shared_address',
  'over_limit',
  'first_address',
] as const satisfies readonly WithdrawRisk[];
