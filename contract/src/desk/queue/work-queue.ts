import { ABILITY, type Ability } from '../../authority/ability.ts';
import type { CountKey } from '../notify/notification.ts';

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

/** Kinds of records that operators review one by one. */
export const reviewTypes = ['withdraw', 'auth', 'ieo', 'approval', 'alarm', 'recharge'] as const;
export type ReviewType = (typeof reviewTypes)[number];

interface ReviewQueue {
  /** The kind of its records. */
  type: ReviewType;
  /** Audit actions that decide about a record of it. */
  actions: readonly string[];
  /** Who gets a record that was escalated: operators who also have this ability. */
  above: Ability;
}

/** Queues whose records are claimed, so that two operators do not work on the same one. */
export const reviewQueues = {
  withdrawUnknown: { type: 'withdraw', actions: ['withdraw.resolve'], above: ABILITY.approval },
  alarmOpen: { type: 'alarm', actions: ['alarm.close'], above: ABILITY.headquarters },
  withdrawFailed: { type: 'withdraw', actions: ['withdraw.retry', 'withdraw.refund'], above: ABILITY.approval },
  withdrawReview: { type: 'withdraw', actions: ['withdraw.pass', 'withdraw.reject'], above: ABILITY.approval },
  approvalOpen: { type: 'approval', actions: ['approval.pass', 'approval.reject'], above: ABILITY.headquarters },
  rechargeHeld: { type: 'recharge', actions: ['recharge.release'], above: ABILITY.approval },
  ieoReview: { type: 'ieo', actions: ['ieo.pass', 'ieo.reject'], above: ABILITY.approval },
  authReview: { type: 'auth', actions: ['auth.pass', 'auth.reject'], above: ABILITY.approval },
} as const satisfies Partial<Record<QueueKey, ReviewQueue>>;
export type ReviewQueueKey = keyof typeof reviewQueues;
export const reviewQueueKeys = Object.keys(reviewQueues) as ReviewQueueKey[];
export const isReviewQueue = (key: QueueKey): key is ReviewQueueKey => Object.hasOwn(reviewQueues, key);

/** The queues that a kind of record can wait in. */
export const queuesOfType = (type: ReviewType): readonly ReviewQueueKey[] =>
  reviewQueueKeys.filter((key) => reviewQueues[key].type === type);
