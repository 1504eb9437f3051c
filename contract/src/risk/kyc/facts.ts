import { ABILITY } from '../../authority/ability.ts';
import type { ActionTable, NounFacts } from '../../authority/action.ts';

const onSubmission = { ability: ABILITY.identity, target: 'auth', guard: 'none' } as const;

export const kycActions = {
  reveal: {
    ...onSubmission,
    summary: '查看完整实名信息',
    reason: 'required',
    reasons: ['核对证件信息', '用户来电核实', '配合合规调查'],
  },
  find: { ability: ABILITY.identity, guard: 'none', summary: '按姓名或证件号查找', audit: '查找实名信息' },
  pass: {
    ...onSubmission,
    summary: '通过实名',
    short: '通过',
    from: [0],
    reason: 'optional',
    guard: { loosens: '使用户的提现或自动打款上限大幅提高' },
  },
  reject: {
    ...onSubmission,
    summary: '驳回实名',
    short: '驳回',
    danger: true,
    from: [0],
    reason: 'expected',
    reasons: ['证件照片模糊', '证件信息与填写不一致', '证件已过期', '缺少手持证件照', '证件已被其他账号使用'],
  },
} as const satisfies ActionTable;

export const kycFacts = {
  actions: kycActions,
  targets: { auth: { label: '实名审核', path: '/auth?open={id}' } },
  notifications: {
    'auth.submitted': { label: '新实名申请', rings: true },
    'auth.passed': { label: '实名已通过' },
    'auth.rejected': { label: '实名已驳回' },
    'auth.overdue': { label: '实名超时未处理', rings: true },
  },
  waiting: {
    authReview: {
      label: '待审核实名',
      query: '?state=0',
      ability: ABILITY.identity,
      queue: { targetMinutes: 240, decisions: ['pass', 'reject'] },
    },
  },
} as const satisfies NounFacts;
