import type { ActionInput, IdInput, ReasonInput } from '../../wire/schema.ts';
import { approvalStates, approvalActions } from './facts.ts';
import { ABILITY } from '../../authority/ability.ts';
import type { PolicyFacts } from '../../authority/action.ts';
import {
  type ApprovableName,
  type LimitedPolicy,
  type PolicyName,
  allActions,
  approvalLabelOf,
  auditLabelOf,
  loosensOf,
} from '../../authority/actions.ts';
import type {
  ApprovalBacktestInput,
  ApprovalCheckersInput,
  ApprovalCheckers,
  ApprovalDetail,
  ApprovalPassInput,
  ApprovalLock,
  ApprovalOpen,
  ApprovalOpenInput,
  ApprovalRow,
  FourEyesState,
  OtherOperators,
  OtherOperatorsInput,
} from './schema.ts';
import { action, call, listCall, read } from '../../wire/endpoint.ts';
import type { BacktestResult } from '../../risk/rule/schema.ts';
import type { EmptyInput } from '../../house/session/schema.ts';
import { targetText } from '../../authority/target.ts';

export const APPROVAL_HOURS = 24;
/** Why a request expired that nobody decided in time. */
export const OVERDUE = `${APPROVAL_HOURS} 小时内未复核`;
export const SUBMITTED = '已提交复核';

const approvableActions = allActions.filter((one) => one.approvable !== undefined || loosensOf(one) !== undefined);
export type ApprovalType = ApprovableName;
/** Actions that may need a second person: first those with a policy. The keys are the values of the list's filter `type`. */
export const approvalTypes = Object.fromEntries(
  approvableActions
    .toSorted((a, b) => Number(a.approvable === undefined) - Number(b.approvable === undefined))
    .map((one) => [one.name, approvalLabelOf(one)]),
) as Readonly<Record<ApprovalType, string>>;

/**
 * Most policies are named after their one action. Adding and subtracting share a policy, so that the maker's daily limit
 * counts both and cannot be bypassed by alternating them.
 */
export const policies = Object.fromEntries(
  allActions.flatMap((one) =>
    one.approvable !== undefined && one.policy ? [[one.approvable, { label: auditLabelOf(one), ...one.policy }]] : [],
  ),
) as Readonly<Record<PolicyName, PolicyFacts & { label: string }>>;
export const policyNames = Object.keys(policies) as PolicyName[];
export const limitedPolicies = policyNames.filter((name) => policies[name].limited) as LimitedPolicy[];
/**
 * Prefix of the keys of policies: `state` is the mode (`policyLabels`), `num` the amount in USDT. Only the top-level admin
 * changes them.
 */
export const POLICY_PREFIX = 'policy.';
/**
 * Prefixes of the settings for what one branch, and the whole tree, may do in 24 hours without a checker while four-eyes
 * are locked. 0 means the multiple of the limit per user.
 */
export const BRANCH_LIMIT_PREFIX = 'branchLimit.';
export const HOUSE_LIMIT_PREFIX = 'houseLimit.';
/** Prefix of the settings for amounts above which two checkers are needed. 0: one is always enough. */
export const TWO_CHECKERS_PREFIX = 'twoCheckers.';
export const BRANCH_MULTIPLE = 10;
export const HOUSE_MULTIPLE = 50;
/** Prefix of the settings of four-eyes. */
export const FOUR_EYES_PREFIX = 'fourEyes.';
/** Setting: hours until a grant of the approval ability takes effect, if it is made while four-eyes are locked. */
export const APPROVER_DELAY = 'fourEyes.approverHours';
/** Setting: a password reset by an operator delays the user's withdrawals instead of needing a second person. */
export const PASSWORD_HOLD = 'fourEyes.passwordHold';
export const PASSWORD_HOLD_HOURS = 72;
/** Setting: hours after which a price is too old to keep an amount below the limits of a policy. */
export const PRICE_HOURS = 'fourEyes.priceHours';
export const PRICE_HOURS_DEFAULT = 24;
/**
 * Settings, which the lock switches on. While four-eyes are locked, a second person is needed for links of announcements to
 * foreign hosts, for signals of high leverage, and for identity reviews that raise limits by more than `RISE_ALONE`. A
 * recharge whose output has arrived under another number is held, locked or not.
 */
export const CHECK_LINKS = 'fourEyes.links';
export const CHECK_LEVERAGE = 'fourEyes.leverage';
export const CHECK_RISE = 'fourEyes.limitRise';
export const HOLD_REPEATED = 'recharge.holdRepeated';
export const lockSwitches = {
  [CHECK_LINKS]: '公告外部链接须复核',
  [CHECK_LEVERAGE]: '高杠杆信号须复核',
  [CHECK_RISE]: '实名大幅提额须复核',
  [HOLD_REPEATED]: '同一笔转账重复入账时挂起',
} as const;
/** By how much one person may raise a limit of a user by passing its identity, in USDT. */
export const RISE_ALONE = '10000';
/** A permit allows its maker one call within this time. */
export const PERMIT_MINUTES = 60;
/** A one-time link for setting a password expires after this time. */
export const RESET_LINK_HOURS = 24;
/** Locking needs this many holders of the approval ability with one-time codes. The admin counts as one. */
export const LOCK_HOLDERS = 3;
/** An amount for two checkers needs this many holders besides the maker. */
export const TWO_CHECKERS_HOLDERS = 3;
/** Screens show a banner for this long after a host command unlocked four-eyes or appointed an approver. */
export const HOST_BANNER_DAYS = 7;

/** When a policy needs a second person. */
export const POLICY = { off: 0, always: 1, above: 2 } as const;
export const policyLabels = { 0: '关闭', 1: '始终', 2: '超过金额(USDT)' } as const;

/** The value that locking gives to a policy that was off: the default of a new installation, or `always`. */
export function lockedValueOf(name: PolicyName): { state: 0 | 1 | 2; num: string } {
  const { mode, amount } = policies[name];
  return mode === POLICY.off ? { state: POLICY.always, num: '0' } : { state: mode, num: amount };
}

const list = {
  filters: [
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: approvalStates },
    { field: 'type', label: '操作', kind: 'eq', type: 'text', options: approvalTypes },
    { field: 'mine', label: '提交人', kind: 'eq', type: 'int', options: { 1: '我提交的' }, more: true },
  ],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'state', title: '状态', kind: 'state', labels: approvalStates },
    { field: 'title', title: '操作', kind: 'text' },
    { field: 'targetType', title: '对象', kind: 'text', text: targetText },
    { field: 'account', title: '账号', kind: 'user' },
    { field: 'amount', title: '金额(USDT)', kind: 'amount' },
    { field: 'maker', title: '提交人', kind: 'operator' },
    { field: 'reason', title: '原因', kind: 'text' },
    { field: 'createdAt', title: '提交时间', kind: 'time' },
    { field: 'expiresAt', title: '过期时间', kind: 'time' },
    { field: 'checker', title: '复核人', kind: 'operator' },
    { field: 'answer', title: '复核意见', kind: 'text' },
    { field: 'decidedAt', title: '复核时间', kind: 'time' },
    { field: 'agent', title: '所属代理', kind: 'agent' },
    { field: 'userId', title: '用户编号', kind: 'id' },
  ],
  views: [
    { name: '待复核', query: 'state=0' },
    { name: '我提交的', query: 'mine=1' },
  ],
} as const;

export const approval = {
  list: listCall<ApprovalRow>()('approval/list', '复核列表', list),
  /** What the request would execute and change, and who can decide it. */
  detail: read<IdInput, ApprovalDetail>()('approval/detail', '复核详情', { target: 'approval' }),
  /** The backtest that the maker of a change of a rule could run. */
  backtest: read<ApprovalBacktestInput, BacktestResult>()('approval/backtest', '复核中的规则回测', {
    ability: ABILITY.approval,
    target: 'approval',
  }),
  /** The open approvals of the given records. Records outside the caller's scope are omitted. */
  open: call<ApprovalOpenInput, ApprovalOpen[]>()({
    method: 'POST',
    path: 'approval/open',
    summary: '对象的待复核申请',
    kind: 'read',
  }),
  /** How many operators could be the checker of a request about a user or an agent, or anywhere in the caller's tree. */
  checkers: read<ApprovalCheckersInput, ApprovalCheckers>()('approval/checkers', '可复核人数'),
  /** Whether four-eyes are locked, who holds which guarded ability, and why they cannot be locked. */
  fourEyes: read<EmptyInput, FourEyesState>()('approval/four_eyes', '四眼状态', { ability: ABILITY.approval }),
  /** Operators who are no holders, or who have something on record: for ticks at the lock and later. */
  operators: read<OtherOperatorsInput, OtherOperators>()('approval/operators', '其他操作员', {
    ability: ABILITY.approval,
  }),
  /** Requests to lock four-eyes. Another holder of the approval ability confirms with `approval/pass`. */
  lock: action<ApprovalLock, ApprovalRow>()(approvalActions.lock, 'approval/lock'),
  /** Requests that an operator counts as known, which deletes what is on record of who made, granted or reset it alone. */
  known: action<ActionInput, ApprovalRow>()(approvalActions.known, 'approval/known'),
  pass: action<ApprovalPassInput, ApprovalRow>()(approvalActions.pass, 'approval/pass', { secretField: 'link' }),
  reject: action<ReasonInput, ApprovalRow>()(approvalActions.reject, 'approval/reject'),
  /** The maker takes its request back. */
  cancel: action<ActionInput, ApprovalRow>()(approvalActions.cancel, 'approval/cancel'),
  /** Makes a closed request again, on the records as they are now. Its answer is that of the requested call. */
  resubmit: action<ActionInput, ApprovalRow>()(approvalActions.resubmit, 'approval/resubmit'),
};
