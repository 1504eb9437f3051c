import { ABILITY, type Ability } from '../../authority/ability.ts';
import type { NotificationFacts, NounFacts, WaitingFacts } from '../../authority/action.ts';
import { type FactKey, type Facts, facts, joinFacts } from '../../facts.ts';
import { inOrder } from '../../wire/in-order.ts';

/** What waits for operators, with the noun that its records are of. */
export interface CountSpec extends WaitingFacts {
  noun: keyof Facts;
  /** Page that lists them. */
  path: string;
}
export type CountKey = FactKey<'waiting'>;

/** The counts in the order of the bell. */
export const countSpecs = inOrder(
  Object.fromEntries(
    Object.entries<NounFacts>(facts).flatMap(([noun, { targets, waiting = {} }]) =>
      Object.entries(waiting).map(([key, count]) => [
        key,
        { noun, path: targets?.[count.target ?? noun]?.path?.split('?')[0], ...count },
      ]),
    ),
  ) as unknown as Readonly<Record<CountKey, CountSpec>>,
  [
    'withdrawReview',
    'withdrawSecond',
    'withdrawFailed',
    'withdrawUnknown',
    'rechargeWaiting',
    'rechargeHeld',
    'authReview',
    'ieoReview',
    'approvalOpen',
    'alarmOpen',
    'walletDifferent',
    'walletItemOpen',
    'walletTransferUnknown',
    'autoStopped',
    'marketHalted',
    'serviceUnread',
    'commandUnknown',
  ],
);
export const countKeys = Object.keys(countSpecs) as CountKey[];

interface NotificationSpec extends Omit<NotificationFacts, 'rings'> {
  /** The list that it changes. */
  noun: string;
  rings: boolean;
}
export type NotificationType = FactKey<'notifications'>;
type NounOf<T> = T extends `${infer N}.${string}` ? N : never;
export type NotificationNoun = NounOf<NotificationType>;

/** All types of notifications. */
export const notificationSpecs = Object.fromEntries(
  Object.entries<NotificationFacts>(joinFacts('notifications')).map(([type, one]) => [
    type,
    { noun: type.split('.')[0], rings: false, ...one },
  ]),
) as unknown as Readonly<Record<NotificationType, NotificationSpec>>;
export const notificationTypes = Object.keys(notificationSpecs) as NotificationType[];
export const quietTypes: readonly NotificationType[] = notificationTypes.filter(
  (type) => notificationSpecs[type].quiet,
);

/** Types for which an operator can enable a sound. */
export const soundTypes: readonly NotificationType[] = notificationTypes.filter(
  (type) => notificationSpecs[type].rings || type === 'recharge.credited',
);

/** Nouns whose notifications only holders of the ability, or the operator who caused them, receive. */
export const notificationAbilities: Partial<Record<NotificationNoun, Ability>> = {
  approval: ABILITY.approval,
  // Cancels and closes are the commands that can end with an unknown outcome.
  command: ABILITY.orders,
  plan: ABILITY.plans,
  walletTransfer: ABILITY.assets,
};

/** Nouns whose notifications only the operator who caused them receives, and none of its superiors. */
export const ownNotifications: readonly NotificationNoun[] = [
  'export',
  'session',
  'fourEyes',
  'channel',
  'schedule',
  'queue',
];
