import { ABILITY, type Ability } from './ability.ts';
import { commandAbilities } from './command.ts';

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
  'withdraw.paidAfterRefund': ABILITY.withdraw,
  'holds.differ': ABILITY.assets,
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
  /** Approvals that the caller may decide: neither its own requests nor those that target it. */
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

interface NotificationSpec<N extends string = string> {
  label: string;
  /** The list that it changes. */
  noun: N;
  /** Whether it needs attention: it is unread in the bell and may play a sound. */
  rings: boolean;
  /** Not shown to operators. It only makes counts and lists refresh at once. */
  quiet?: true;
}

const spec = <const N extends string>(noun: N, label: string, rings = false): NotificationSpec<N> => ({
  label,
  noun,
  rings,
});
const quiet = <const N extends string>(noun: N, label: string): NotificationSpec<N> => ({
  ...spec(noun, label),
  quiet: true,
});

/** All types of notifications. */
export const notificationSpecs = {
  'user.registered': spec('user', '新用户注册'),
  'recharge.detected': spec('recharge', '充值待确认'),
  'recharge.credited': spec('recharge', '充值到账'),
  'recharge.held': spec('recharge', '充值挂起', true),
  'recharge.released': spec('recharge', '充值已放行'),
  'recharge.failed': spec('recharge', '充值失败'),
  'recharge.reversed': spec('recharge', '充值冲正', true),
  'withdraw.requested': spec('withdraw', '新提现申请', true),
  'withdraw.second': spec('withdraw', '提现提交复核'),
  'withdraw.returned': spec('withdraw', '提现退回待审核'),
  'withdraw.queued': spec('withdraw', '提现已通过'),
  'withdraw.paying': spec('withdraw', '提现打款中'),
  'withdraw.paid': spec('withdraw', '提现已完成'),
  'withdraw.rejected': spec('withdraw', '提现已驳回'),
  'withdraw.cancelled': spec('withdraw', '用户撤销提现'),
  'withdraw.failed': spec('withdraw', '打款失败', true),
  'withdraw.unknown': spec('withdraw', '打款结果不明', true),
  'withdraw.refunded': spec('withdraw', '提现已退回'),
  'auth.submitted': spec('auth', '新实名申请', true),
  'auth.passed': spec('auth', '实名已通过'),
  'auth.rejected': spec('auth', '实名已驳回'),
  'ieo.ordered': spec('ieo', '新认购申请', true),
  'ieo.passed': spec('ieo', '认购已通过'),
  'ieo.rejected': spec('ieo', '认购已驳回'),
  'ieo.cancelled': spec('ieo', '用户撤销认购'),
  'approval.asked': spec('approval', '新的复核申请', true),
  'approval.passed': spec('approval', '复核已通过'),
  'approval.rejected': spec('approval', '复核已驳回'),
  'approval.expired': spec('approval', '复核已过期'),
  'approval.failed': spec('approval', '复核执行失败', true),
  'approver.granted': spec('fourEyes', '新复核员', true),
  'fourEyes.locked': spec('fourEyes', '四眼已锁定', true),
  'fourEyes.unlocked': spec('fourEyes', '四眼已解除锁定', true),
  'fourEyes.appointed': spec('fourEyes', '已在服务器上指定复核员', true),
  'trade.cancelling': spec('trade', '撤单中'),
  'trade.cancelled': spec('trade', '委托已撤销'),
  'trade.cancelFailed': spec('trade', '撤单失败', true),
  'second.voided': spec('second', '秒合约作废'),
  'second.risk': spec('second', '秒合约敞口告警', true),
  'second.stuck': spec('second', '秒合约缺少行情', true),
  'follow.closing': spec('follow', '跟单结束中'),
  'follow.closed': spec('follow', '跟单已结束'),
  'follow.closeFailed': spec('follow', '结束跟单失败', true),
  'future.cancelling': spec('future', '合约撤单中'),
  'future.cancelled': spec('future', '合约委托已撤销'),
  'future.cancelFailed': spec('future', '合约撤单失败', true),
  'future.closing': spec('future', '合约平仓中'),
  'future.closed': spec('future', '合约已按指令平仓'),
  'future.closeFailed': spec('future', '合约平仓失败', true),
  'future.liquidated': spec('future', '合约强平'),
  'alarm.raised': spec('alarm', '告警', true),
  'alarm.closed': spec('alarm', '告警已关闭'),
  'command.unknown': spec('command', '指令结果不明', true),
  'command.retried': spec('command', '指令已重发'),
  'command.resolved': spec('command', '指令结果已确认'),
  'export.done': spec('export', '导出文件已生成', true),
  'export.failed': spec('export', '导出任务失败', true),
  'plan.halted': spec('plan', '市场暂停交易', true),
  'plan.resumed': spec('plan', '市场恢复交易'),
  'service.received': spec('service', '新客服消息', true),
  'service.sent': spec('service', '客服已回复'),
  'service.closed': spec('service', '客服会话已关闭'),
  'service.assigned': spec('service', '客服会话已分配'),
  'session.reused': spec('session', '登录会话因旧令牌被再次使用而结束', true),
  'service.read': quiet('service', '客服会话已读'),
} as const satisfies Record<string, NotificationSpec>;
export type NotificationType = keyof typeof notificationSpecs;
export type NotificationNoun = (typeof notificationSpecs)[NotificationType]['noun'];
export const notificationTypes = Object.keys(notificationSpecs) as NotificationType[];
export const quietTypes: readonly NotificationType[] = notificationTypes.filter(
  (type) => 'quiet' in notificationSpecs[type],
);

/** Types for which an operator can enable a sound. */
export const soundTypes: readonly NotificationType[] = notificationTypes.filter(
  (type) => notificationSpecs[type].rings || type === 'recharge.credited',
);

export const alarmKinds = {
  'recharge.reversed': '冲正时余额不足',
  'withdraw.paidAfterRefund': '退回后又打款',
  'holds.differ': '冻结余额与占用不符',
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
export const ownNotifications: readonly NotificationNoun[] = ['export', 'session', 'fourEyes'];
