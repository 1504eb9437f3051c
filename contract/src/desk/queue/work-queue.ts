import { ABILITY, type Ability } from '../../authority/ability.ts';
import type { QueueFacts } from '../../authority/action.ts';
import type { Facts } from '../../facts.ts';
import { inOrder } from '../../wire/in-order.ts';
import { type CountSpec, countSpecs } from '../notify/notification.ts';

/** Prefix of the settings with the target times of the queues, in minutes; 0 means no target. */
export const QUEUE_TARGET_PREFIX = 'queue.target.';

/** Noun, name and facts of each count. */
type Count = {
  [N in keyof Facts]: Facts[N] extends { waiting: infer W } ? { [K in keyof W]: [N, K, W[K]] }[keyof W] : never;
}[keyof Facts];
type Reviewed = Extract<Count, [unknown, unknown, { queue: { decisions: object } }]>;
export type QueueKey = Extract<Count, [unknown, unknown, { queue: object }]>[1];
export type ReviewQueueKey = Reviewed[1];
/** Kinds of records that operators review one by one. */
export type ReviewType = Reviewed[0];

/** The work queues of the home page, the gravest first. */
export const workQueues = inOrder(
  Object.fromEntries(
    Object.entries<CountSpec>(countSpecs).flatMap(([key, { queue }]) => (queue ? [[key, queue]] : [])),
  ) as Readonly<Record<QueueKey, QueueFacts>>,
  [
    'withdrawUnknown',
    'commandUnknown',
    'alarmOpen',
    'autoStopped',
    'withdrawFailed',
    'withdrawReview',
    'approvalOpen',
    'rechargeHeld',
    'ieoReview',
    'authReview',
    'marketHalted',
    'serviceUnread',
  ],
);
export const queueKeys = Object.keys(workQueues) as QueueKey[];

interface ReviewQueue {
  /** The kind of its records. */
  type: ReviewType;
  /** Audit actions that decide about a record of it. */
  actions: readonly string[];
  /** Who gets a record that was escalated: operators who also have this ability. */
  above: Ability;
}

/** Queues whose records are claimed, so that two operators do not work on the same one. */
export const reviewQueues = Object.fromEntries(
  queueKeys.flatMap((key): [string, ReviewQueue][] => {
    const { decisions, above = ABILITY.approval } = workQueues[key];
    // Queues with decisions are those of the kinds in `ReviewType`.
    const type = countSpecs[key].noun as ReviewType;
    return decisions ? [[key, { type, actions: decisions.map((name) => `${type}.${name}`), above }]] : [];
  }),
) as Readonly<Record<ReviewQueueKey, ReviewQueue>>;
export const reviewQueueKeys = Object.keys(reviewQueues) as ReviewQueueKey[];
export const isReviewQueue = (key: QueueKey): key is ReviewQueueKey => Object.hasOwn(reviewQueues, key);

export const reviewTypes: readonly ReviewType[] = [...new Set(reviewQueueKeys.map((key) => reviewQueues[key].type))];

/** The queues that a kind of record can wait in. */
export const queuesOfType = (type: ReviewType): readonly ReviewQueueKey[] =>
  reviewQueueKeys.filter((key) => reviewQueues[key].type === type);
