import { ABILITY } from './ability.ts';
import type { ActionTable, NounFacts } from './action.ts';

/** What the system decided about a withdrawal, for its filter. */
export const autoOutcomes = { 1: '系统通过', 2: '待复查', 3: '已复查', 4: '未自动通过' } as const;

/** Why a withdrawal was left to people. */
export const autoReasons = {
  stopped: '该币种的自动打款已暂停',
  off: '该币种的自动打款已关闭',
  noRules: '没有运行中的规则',
  rulesChanged: '申请之后规则有变更',
  rule: '被规则拦截或禁止自动通过',
  people: '规则要求多人审核',
  screenWait: '没有筛查答复',
  screenHit: '未通过筛查',
  late: '等待过久',
  frozen: '用户已冻结或已删除',
  held: '用户的打款已暂缓',
  alarm: '用户有未处理的告警',
  firstAddress: '首次使用的地址，或无法确认',
  level: '超过该认证等级的单笔额度',
  userDay: '超过单个用户的每日额度',
  dayAmount: '超过每日额度',
  dayCount: '超过每日笔数',
  policy: '按复核策略须由他人复核',
  mandate: '没有适用的签名授权',
  state: '已由他人处理或用户已撤销',
  error: '处理出错',
} as const;

/** Why automatic payouts of a coin stopped. */
export const autoStops = {
  operator: '操作员暂停',
  failed: '打款失败',
  unknown: '打款结果不明',
  rule: '命中要求暂停的规则',
  alarm: '该币种有未处理的告警',
} as const;

const onBudgets = { ability: ABILITY.platform, fresh: true } as const;

export const autoPayoutActions = {
  save: {
    ...onBudgets,
    summary: '保存自动打款额度',
    reason: 'optional',
    approval: '放宽自动打款',
    guard: { loosens: '开启自动打款，提高额度，减少复查', tightens: '关闭自动打款，降低额度，增加复查' },
  },
  start: {
    ...onBudgets,
    summary: '恢复自动打款',
    reason: 'required',
    guard: { loosens: '恢复自动打款' },
  },
  stop: {
    summary: '暂停自动打款',
    danger: true,
    ability: ABILITY.withdraw,
    reason: 'optional',
    guard: { tightens: '暂停自动打款' },
  },
  review: {
    summary: '复查自动打款',
    ability: ABILITY.withdraw,
    target: 'withdraw',
    reason: 'optional',
    guard: 'none',
  },
} as const satisfies ActionTable;

export const autoPayoutFacts = {
  actions: autoPayoutActions,
  targets: { autoPayout: { label: '自动打款' } },
  notifications: {
    'autoPayout.stopped': { label: '自动打款已暂停', noun: 'withdraw', rings: true },
    'autoPayout.started': { label: '自动打款已恢复', noun: 'withdraw' },
  },
} as const satisfies NounFacts;
