import { ABILITY } from '../../authority/ability.ts';
import type { ActionTable, NounFacts } from '../../authority/action.ts';

/** What one operator can do to another alone, so that the two do not count as independent. */
export const controlKinds = { made: '创建', granted: '授权', reset: '重置登录凭证' } as const;

export const APPROVAL = { open: 0, passed: 1, rejected: 2, expired: 3, failed: 4, cancelled: 5 } as const;
export const approvalStates = {
  0: '待复核',
  1: '已通过',
  2: '已驳回',
  3: '已过期',
  4: '执行失败',
  5: '已撤回',
} as const;

export const approvalActions = {
  lock: {
    summary: '锁定四眼',
    ability: ABILITY.approval,
    reason: 'optional',
    fresh: true,
    approvable: 'approval.lock',
    guard: 'policy',
  },
  known: {
    summary: '确认认识此人',
    ability: ABILITY.approval,
    target: 'agent',
    reason: 'optional',
    reasons: ['本人当面确认', '视频核实本人', '入职资料已核对'],
    fresh: true,
    guard: { loosens: '确认认识此人' },
  },
  pass: {
    summary: '复核通过',
    ability: ABILITY.approval,
    target: 'approval',
    from: [0],
    reason: 'optional',
    fresh: true,
    guard: 'none',
  },
  reject: {
    summary: '复核驳回',
    ability: ABILITY.approval,
    target: 'approval',
    from: [0],
    reason: 'required',
    reasons: ['信息不符，请核实', '金额有误', '风险未排除', '请与用户确认后再提交'],
    guard: { tightens: '驳回申请' },
  },
  cancel: {
    summary: '撤回申请',
    short: '撤回',
    target: 'approval',
    from: [0],
    reason: 'optional',
    guard: { tightens: '撤回自己的申请' },
  },
  resubmit: { summary: '再次提交', target: 'approval', from: [2, 3, 4, 5], reason: 'optional', guard: 'none' },
} as const satisfies ActionTable;

export const approvalFacts = {
  actions: approvalActions,
  targets: { approval: { label: '复核', path: '/approval?open={id}', states: approvalStates } },
  notifications: {
    'approval.asked': { label: '新的复核申请', rings: true },
    'approval.passed': { label: '复核已通过' },
    'approval.rejected': { label: '复核已驳回' },
    'approval.expired': { label: '复核已过期' },
    'approval.cancelled': { label: '复核已撤回' },
    'approval.failed': { label: '复核执行失败', rings: true },
    'approval.overdue': { label: '复核超时未处理', rings: true },
    'approver.granted': { label: '新复核员', noun: 'fourEyes', rings: true },
    'fourEyes.locked': { label: '四眼已锁定', rings: true },
    'fourEyes.unlocked': { label: '四眼已解除锁定', rings: true },
    'fourEyes.passwordAllowed': { label: '已在服务器上临时允许密码登录', rings: true },
    'fourEyes.credential': { label: '关键权限持有者的登录凭证已变更', rings: true },
    'fourEyes.appointed': { label: '已在服务器上指定复核员', rings: true },
  },
  waiting: {
    /** Approvals that the caller may decide: not its own requests, those that target it, or those it has passed. */
    approvalOpen: {
      label: '待复核审批',
      query: '?state=0',
      ability: ABILITY.approval,
      queue: { targetMinutes: 60, decisions: ['pass', 'reject'], above: ABILITY.headquarters },
    },
  },
} as const satisfies NounFacts;
