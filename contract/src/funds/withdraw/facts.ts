import { ABILITY } from '../../authority/ability.ts';
import type { ActionTable, NounFacts } from '../../authority/action.ts';

/** Actions that pay out or give back need a fresh code, and a second person if their policy says so. */
const payment = { ability: ABILITY.withdraw, target: 'withdraw', fresh: true, guard: 'policy' } as const;

/** Why a payout waits after an operator reset the password of its user. Here, since lists do not load all refusals. */
export const PAYOUT_HELD = '操作员重置了该用户的密码，提现暂缓';

/** Why nothing is decided about a withdrawal: the wallet reported a payment that nobody expected, and whose alarm is open. */
export const UNEXPLAINED = '存在待核实的打款';

/** Why the outcome of a payout became unknown by itself. */
export const PAYOUT_SILENT = '钱包在时限内没有回应';

/** Why a payout is called back when its user is frozen, and that somebody decides about money of a frozen user. */
export const USER_FROZEN = '用户已冻结';

export const WITHDRAW = {
  review: 0,
  second: 1,
  queued: 2,
  paying: 3,
  paid: 4,
  rejected: 5,
  cancelled: 6,
  failed: 7,
  unknown: 8,
  refunded: 9,
} as const;
/** States in which the money is still frozen. */
export const openWithdrawStates = [
  WITHDRAW.review,
  WITHDRAW.second,
  WITHDRAW.queued,
  WITHDRAW.paying,
  WITHDRAW.failed,
  WITHDRAW.unknown,
] as const;
export const withdrawStates = {
  0: '待审核',
  1: '待复核',
  2: '待打款',
  3: '打款中',
  4: '已完成',
  5: '已驳回',
  6: '用户撤销',
  7: '打款失败',
  8: '结果不明',
  9: '已退回',
} as const;

export const withdrawActions = {
  pass: {
    ...payment,
    summary: '通过提现',
    short: '通过',
    from: [0],
    reason: 'optional',
    approvable: 'withdraw.pass',
    policy: { mode: 2, amount: '10000', who: 'user', limited: true },
  },
  reject: {
    summary: '驳回提现',
    short: '驳回',
    danger: true,
    ability: ABILITY.withdraw,
    target: 'withdraw',
    from: [0, 1],
    reason: 'expected',
    reasons: ['地址有风险', '资料不符，请联系客服', '流水不足', '账户存在异常'],
    guard: { tightens: '驳回提现' },
  },
  retry: {
    ...payment,
    summary: '重新打款',
    short: '重新打款',
    danger: true,
    from: [7],
    reason: 'optional',
    approvable: 'withdraw.retry',
    policy: { mode: 0, amount: '0', who: 'user', limited: true },
  },
  recall: {
    summary: '撤回打款',
    short: '撤回',
    danger: true,
    ability: ABILITY.withdraw,
    target: 'withdraw',
    from: [2],
    reason: 'required',
    reasons: ['发现风险，暂不打款', '地址有误'],
    guard: { tightens: '撤回打款' },
  },
  refund: {
    ...payment,
    summary: '退回提现',
    short: '退回',
    danger: true,
    from: [7],
    reason: 'required',
    approvable: 'withdraw.refund',
    policy: { mode: 1, amount: '0', who: 'user' },
  },
  resolve: {
    ...payment,
    summary: '确认打款结果',
    short: '确认结果',
    danger: true,
    from: [8],
    reason: 'required',
    approvable: 'withdraw.resolve',
    policy: { mode: 1, amount: '0', who: 'user' },
  },
} as const satisfies ActionTable;

export const withdrawFacts = {
  actions: withdrawActions,
  targets: { withdraw: { label: '提现', path: '/withdraw?open={id}', isSearchable: true, states: withdrawStates } },
  notifications: {
    'withdraw.requested': { label: '新提现申请', rings: true },
    'withdraw.second': { label: '提现提交复核' },
    'withdraw.returned': { label: '提现退回待审核' },
    'withdraw.queued': { label: '提现已通过' },
    'withdraw.paying': { label: '提现打款中' },
    'withdraw.paid': { label: '提现已完成' },
    'withdraw.rejected': { label: '提现已驳回' },
    'withdraw.cancelled': { label: '用户撤销提现' },
    'withdraw.failed': { label: '打款失败', rings: true },
    'withdraw.unknown': { label: '打款结果不明', rings: true },
    'withdraw.refunded': { label: '提现已退回' },
    'withdraw.overdue': { label: '提现超时未处理', rings: true },
  },
  waiting: {
    withdrawReview: {
      label: '待审核提现',
      query: '?state=0',
      ability: ABILITY.withdraw,
      queue: { targetMinutes: 30, decisions: ['pass', 'reject'] },
    },
    /** Not in the badge: the badge of their approvals counts them already. */
    withdrawSecond: { label: '待复核提现', query: '?state=1', ability: ABILITY.withdraw, badge: false },
    withdrawFailed: {
      label: '打款失败',
      query: '?state=7',
      ability: ABILITY.withdraw,
      queue: { targetMinutes: 60, decisions: ['retry', 'refund'] },
    },
    withdrawUnknown: {
      label: '打款结果不明',
      query: '?state=8',
      ability: ABILITY.withdraw,
      queue: { targetMinutes: 15, decisions: ['resolve'] },
    },
  },
} as const satisfies NounFacts;
