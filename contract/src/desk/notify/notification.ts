import { ABILITY, type Ability } from '../../authority/ability.ts';
import type { NotificationFacts } from '../../authority/action.ts';
import { commandAbilities } from '../../house/command/facts.ts';
import { type FactKey, joinFacts } from '../../facts.ts';

/** A count of open work. The badges of the menu, the bell and the window title derive from this table. */
export interface CountSpec {
  label: string;
  /** Page that lists them, and the query that filters exactly them. */
  path: string;
  query: string;
  /** The count is sent to operators with this ability, or one of these: others cannot act on it. */
  ability: Ability | readonly Ability[];
  /** Whether it counts in the badge of the menu and in the window title. */
  badge: boolean;
}

/** The ability needed to close an alarm of each kind. */
export const alarmAbilities: Readonly<Record<AlarmKind, Ability>> = {
  'recharge.reversed': ABILITY.assets,
  'recharge.repeated': ABILITY.assets,
  'withdraw.paidAfterRefund': ABILITY.withdraw,
  'withdraw.screenHit': ABILITY.withdraw,
  'auth.screenHit': ABILITY.identity,
  'holds.differ': ABILITY.assets,
  'event.conflict': ABILITY.platform,
  'passkey.cloned': ABILITY.platform,
  'market.networks': ABILITY.markets,
};

/** Counts are exact and cover the caller's tree. The answer omits counts that need an ability the caller lacks. */
export const countSpecs = {
  withdrawReview: {
    label: '待审核提现',
    path: '/withdraw',
    query: '?state=0',
    ability: ABILITY.withdraw,
    badge: true,
  },
  /** Not in the badge: the badge of their approvals counts them already. */
  withdrawSecond: {
    label: '待复核提现',
    path: '/withdraw',
    query: '?state=1',
    ability: ABILITY.withdraw,
    badge: false,
  },
  withdrawFailed: {
    label: '打款失败',
    path: '/withdraw',
    query: '?state=7',
    ability: ABILITY.withdraw,
    badge: true,
  },
  withdrawUnknown: {
    label: '打款结果不明',
    path: '/withdraw',
    query: '?state=8',
    ability: ABILITY.withdraw,
    badge: true,
  },
  rechargeWaiting: {
    label: '待确认充值',
    path: '/recharge',
    query: '?state=0',
    ability: ABILITY.assets,
    badge: false,
  },
  rechargeHeld: {
    label: '风控挂起充值',
    path: '/recharge',
    query: '?state=3',
    ability: ABILITY.assets,
    badge: true,
  },
  authReview: { label: '待审核实名', path: '/auth', query: '?state=0', ability: ABILITY.identity, badge: true },
  ieoReview: { label: '待审核认购', path: '/ieo/review', query: '', ability: ABILITY.subscription, badge: true },
  /** Approvals that the caller may decide: not its own requests, those that target it, or those it has passed. */
  approvalOpen: { label: '待复核审批', path: '/approval', query: '?state=0', ability: ABILITY.approval, badge: true },
  /** Open alarms that the caller may close. Alarms about no user count only for operators with full scope. */
  alarmOpen: {
    label: '未处理告警',
    path: '/alarm',
    query: '?state=0',
    ability: [...new Set(Object.values(alarmAbilities))],
    badge: true,
  },
  /** Halts of markets whose plans the caller may manage, one per kind of trading. */
  marketHalted: { label: '暂停交易的市场', path: '/plan', query: '?planState=2', ability: ABILITY.plans, badge: true },
  /** Conversations with unread messages from the user. */
  serviceUnread: {
    label: '未读客服会话',
    path: '/service',
    query: '?unread=1',
    ability: ABILITY.users,
    badge: true,
  },
  /** Commands with an unknown outcome that the caller may resolve. Payouts count as withdrawals instead. */
  commandUnknown: {
    label: '结果不明指令',
    path: '/command',
    query: '?state=4',
    ability: [...new Set(Object.values(commandAbilities))],
    badge: true,
  },
} as const satisfies Record<string, CountSpec>;
export type CountKey = keyof typeof countSpecs;
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

export const alarmKinds = {
  'recharge.reversed': '冲正时余额不足',
  'recharge.repeated': '同一笔转账重复入账',
  'withdraw.paidAfterRefund': '退回后又打款',
  'withdraw.screenHit': '通过后筛查命中',
  'auth.screenHit': '实名通过后筛查命中',
  'holds.differ': '冻结余额与占用不符',
  'event.conflict': '平台事件内容不一致',
  'passkey.cloned': '通行密钥可能被复制',
  'market.networks': '升级后网络待确认',
} as const;
export type AlarmKind = keyof typeof alarmKinds;

/** Nouns whose notifications only holders of the ability, or the operator who caused them, receive. */
export const notificationAbilities: Partial<Record<NotificationNoun, Ability>> = {
  approval: ABILITY.approval,
  // Cancels and closes are the commands that can end with an unknown outcome.
  command: ABILITY.orders,
  plan: ABILITY.plans,
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
