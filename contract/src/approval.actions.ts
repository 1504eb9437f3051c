import { ABILITY } from './ability.ts';
import type { ActionTable } from './action.ts';

export const approvalActions = {
  lock: {
    summary: '锁定四眼',
    ability: ABILITY.approval,
    reason: 'optional',
    fresh: true,
    approvable: 'approval.lock',
    guard: 'policy',
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
} as const satisfies ActionTable;
