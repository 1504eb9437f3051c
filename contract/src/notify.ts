import { ABILITY, type Ability } from './ability.ts';
import { approvalTypes } from './approval.ts';
import { commandAbilities, commandTypes } from './command.ts';
import { call } from './endpoint.ts';
import type { Counts, Fact, FactsAnswer, FactsInput, StreamInput } from './notify.schema.ts';
import { marketTypes } from './market-type.ts';
import type { Nothing } from './session.schema.ts';

/** Facts older than this are deleted. */
export const FACT_DAYS = 7;
/** What happened longer ago than this is no news: a platform that reports its past rings no bell. */
export const NEWS_HOURS = 24;
/** A stream that goes on from an id gets what it missed, unless that is older or more than this: then it gets `reset`. */
export const RESUME_MINUTES = 10;
export const RESUME_FACTS = 1_000;
/** A comment goes out this often, so that both ends notice a dead line. */
export const HEARTBEAT_SECONDS = 15;
/** Streams that one operator may have open at a server; more are answered with 429. */
export const STREAMS_PER_OPERATOR = 8;
export const STREAMS_PER_PROCESS = 5_000;
export const FACTS_SIZE = 50;
export const FACTS_SIZE_MAX = 200;

/** A number of things that wait for somebody; badges of the menu, the bell and the title derive from this table. */
export interface CountSpec {
  label: string;
  /** Page on which they are listed, and the query that lists just them. */
  path: string;
  query: string;
  /** The operator needs it, or one of them, to be sent the number: without it there is nothing it could do. */
  ability: Ability | readonly Ability[];
  /** Part of the badge in the menu and of the number in the window's title. */
  badge: boolean;
}

/** The ability that closing an alarm of a kind needs. */
export const alarmAbilities: Readonly<Record<AlarmKind, Ability>> = {
  'recharge.reversed': ABILITY.assets,
  'withdraw.paidAfterRefund': ABILITY.withdraw,
  'holds.differ': ABILITY.assets,
};

/**
 * Every count is exact and of the caller's own tree. A key that the operator lacks the ability for is left out of the
 * answer, as is one that no part of the installation can have yet.
 */
export const countSpecs = {
  withdrawReview: {
    label: '待审核提现',
    path: '/withdraw',
    query: '?state=0',
    ability: ABILITY.withdraw,
    badge: true,
  },
  /** They wait for an approval, whose badge counts them already. */
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
  /** Those that the caller may decide: neither its own requests nor any about itself. */
  approvalOpen: { label: '待复核审批', path: '/approval', query: '?state=0', ability: ABILITY.approval, badge: true },
  /** Open alarms that the caller may close; those about no user only for operators who see everything. */
  alarmOpen: {
    label: '未处理告警',
    path: '/alarm',
    query: '?state=0',
    ability: [...new Set(Object.values(alarmAbilities))],
    badge: true,
  },
  /** Halts of markets that the caller has to do with, each kind of trading for itself. */
  marketHalted: { label: '暂停交易的市场', path: '/plan', query: '?planState=2', ability: ABILITY.plans, badge: true },
  /** Conversations in which a user has written what nobody has read. */
  serviceUnread: {
    label: '未读客服会话',
    path: '/service',
    query: '?unread=1',
    ability: ABILITY.users,
    badge: true,
  },
  /** Commands with an unknown outcome that the caller may resolve. Payouts are counted as their withdrawals. */
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

/** What a fact is about: the list that it changes. */
export type FactNoun =
  | 'user'
  | 'recharge'
  | 'withdraw'
  | 'auth'
  | 'approval'
  | 'alarm'
  | 'command'
  | 'export'
  | 'plan'
  | 'trade'
  | 'ieo'
  | 'second'
  | 'future'
  | 'follow'
  | 'service'
  | 'session'
  | 'fourEyes';

export interface FactSpec {
  label: string;
  noun: FactNoun;
  /** It asks for somebody: it is marked unread in the bell and may sound. */
  rings: boolean;
  /** Nobody reads of it: it is told so that numbers and lists follow at once. */
  quiet?: true;
}

const fact = (noun: FactNoun, label: string, rings = false): FactSpec => ({ label, noun, rings });
const quiet = (noun: FactNoun, label: string): FactSpec => ({ ...fact(noun, label), quiet: true });

/** Everything that the stream tells of. */
export const factSpecs = {
  'user.registered': fact('user', '新用户注册'),
  'recharge.detected': fact('recharge', '充值待确认'),
  'recharge.credited': fact('recharge', '充值到账'),
  'recharge.held': fact('recharge', '充值挂起', true),
  'recharge.released': fact('recharge', '充值已放行'),
  'recharge.failed': fact('recharge', '充值失败'),
  'recharge.reversed': fact('recharge', '充值冲正', true),
  'withdraw.requested': fact('withdraw', '新提现申请', true),
  'withdraw.second': fact('withdraw', '提现提交复核'),
  'withdraw.returned': fact('withdraw', '提现退回待审核'),
  'withdraw.queued': fact('withdraw', '提现已通过'),
  'withdraw.paying': fact('withdraw', '提现打款中'),
  'withdraw.paid': fact('withdraw', '提现已完成'),
  'withdraw.rejected': fact('withdraw', '提现已驳回'),
  'withdraw.cancelled': fact('withdraw', '用户撤销提现'),
  'withdraw.failed': fact('withdraw', '打款失败', true),
  'withdraw.unknown': fact('withdraw', '打款结果不明', true),
  'withdraw.refunded': fact('withdraw', '提现已退回'),
  'auth.submitted': fact('auth', '新实名申请', true),
  'auth.passed': fact('auth', '实名已通过'),
  'auth.rejected': fact('auth', '实名已驳回'),
  'ieo.ordered': fact('ieo', '新认购申请', true),
  'ieo.passed': fact('ieo', '认购已通过'),
  'ieo.rejected': fact('ieo', '认购已驳回'),
  'ieo.cancelled': fact('ieo', '用户撤销认购'),
  'approval.asked': fact('approval', '新的复核申请', true),
  'approval.passed': fact('approval', '复核已通过'),
  'approval.rejected': fact('approval', '复核已驳回'),
  'approval.expired': fact('approval', '复核已过期'),
  'approval.failed': fact('approval', '复核执行失败', true),
  'approver.granted': fact('fourEyes', '新复核员', true),
  'fourEyes.locked': fact('fourEyes', '四眼已锁定', true),
  'fourEyes.unlocked': fact('fourEyes', '四眼已解除锁定', true),
  'fourEyes.appointed': fact('fourEyes', '已在服务器上指定复核员', true),
  'trade.cancelling': fact('trade', '撤单中'),
  'trade.cancelled': fact('trade', '委托已撤销'),
  'trade.cancelFailed': fact('trade', '撤单失败', true),
  'second.voided': fact('second', '秒合约作废'),
  'second.risk': fact('second', '秒合约敞口告警', true),
  'second.stuck': fact('second', '秒合约缺少行情', true),
  'follow.closing': fact('follow', '跟单结束中'),
  'follow.closed': fact('follow', '跟单已结束'),
  'follow.closeFailed': fact('follow', '结束跟单失败', true),
  'future.cancelling': fact('future', '合约撤单中'),
  'future.cancelled': fact('future', '合约委托已撤销'),
  'future.cancelFailed': fact('future', '合约撤单失败', true),
  'future.closing': fact('future', '合约平仓中'),
  'future.closed': fact('future', '合约已按指令平仓'),
  'future.closeFailed': fact('future', '合约平仓失败', true),
  'future.liquidated': fact('future', '合约强平'),
  'alarm.raised': fact('alarm', '告警', true),
  'alarm.closed': fact('alarm', '告警已关闭'),
  'command.unknown': fact('command', '指令结果不明', true),
  'command.retried': fact('command', '指令已重发'),
  'command.resolved': fact('command', '指令结果已确认'),
  'export.done': fact('export', '导出文件已生成', true),
  'export.failed': fact('export', '导出任务失败', true),
  'plan.halted': fact('plan', '市场暂停交易', true),
  'plan.resumed': fact('plan', '市场恢复交易'),
  'service.received': fact('service', '新客服消息', true),
  'service.sent': fact('service', '客服已回复'),
  'service.closed': fact('service', '客服会话已关闭'),
  'service.assigned': fact('service', '客服会话已分配'),
  'session.reused': fact('session', '登录会话因旧令牌被再次使用而结束', true),
  'service.read': quiet('service', '客服会话已读'),
} as const satisfies Record<string, FactSpec>;
export type FactType = keyof typeof factSpecs;
export const factTypes = Object.keys(factSpecs) as FactType[];
export const quietTypes: readonly FactType[] = factTypes.filter((type) => 'quiet' in factSpecs[type]);

/** For which facts an operator may choose to hear a sound. */
export const soundTypes: readonly FactType[] = factTypes.filter(
  (type) => factSpecs[type].rings || type === 'recharge.credited',
);

export const alarmKinds = {
  'recharge.reversed': '冲正时余额不足',
  'withdraw.paidAfterRefund': '退回后又打款',
  'holds.differ': '冻结余额与占用不符',
} as const;
export type AlarmKind = keyof typeof alarmKinds;

/** Of these nouns a fact is told only to who has the ability, or who made it itself; all others to the whole tree. */
export const factAbilities: Partial<Record<FactNoun, Ability>> = {
  approval: ABILITY.approval,
  // Cancels and closes are the commands that can end with an unknown outcome.
  command: ABILITY.orders,
  plan: ABILITY.plans,
};

/** Of these a fact is told to nobody but who asked for it, whatever that one's superiors may see. */
export const ownFacts: readonly FactNoun[] = ['export', 'session', 'fourEyes'];

/** The words of what a fact says beyond its type: which action is asked for, which alarm it is. */
export function factDetail({ noun, detail }: Pick<Fact, 'noun' | 'detail'>): string {
  if (noun === 'approval') return Object.entries(approvalTypes).find(([type]) => type === detail)?.[1] ?? detail;
  if (noun === 'alarm') return Object.entries(alarmKinds).find(([kind]) => kind === detail)?.[1] ?? detail;
  if (noun === 'command') return Object.entries(commandTypes).find(([type]) => type === detail)?.[1] ?? detail;
  if (noun === 'plan') return Object.entries(marketTypes).find(([type]) => type === detail)?.[1] ?? detail;
  return detail;
}

/** Why a session ended, as the event `session` says it. */
export type SessionEnd = 'logout' | 'password' | 'ability' | 'kick' | 'disabled' | 'expired' | 'ended';

/**
 * The events of the stream, by name; each event's data is JSON. Only `fact` carries an id, which is that of the fact.
 *
 * - counts: at the beginning and whenever they changed
 * - fact: something happened; ids of one stream only grow
 * - reset: too much was missed; read facts and lists again, the stream goes on from `last`
 * - session: the session is over, and the stream ends
 */
export interface StreamEvents {
  counts: Counts;
  fact: Fact;
  reset: { last: number };
  session: { reason: SessionEnd };
}

export const notify = {
  stream: call<StreamInput, null>()({
    method: 'GET',
    path: 'notify/stream',
    summary: '实时通知（text/event-stream）',
    kind: 'stream',
  }),
  counts: call<Nothing, Counts>()({ method: 'GET', path: 'notify/counts', summary: '待办数量', kind: 'read' }),
  facts: call<FactsInput, FactsAnswer>()({
    method: 'GET',
    path: 'notify/facts',
    summary: '最新动态',
    kind: 'read',
  }),
};
