import { ABILITY } from '../../authority/ability.ts';
import type { ActionTable, NounFacts } from '../../authority/action.ts';

export const IEO = { waiting: 0, passed: 1, rejected: 2, cancelled: 3 } as const;
export const ieoStates = { 0: '待审核', 1: '已通过', 2: '已驳回', 3: '用户撤销' } as const;

export const ieoActions = {
  pass: {
    summary: '通过认购',
    short: '通过',
    ability: ABILITY.subscription,
    target: 'ieo',
    from: [0],
    reason: 'optional',
    fresh: true,
    approvable: 'ieo.pass',
    policy: { mode: 0, amount: '0', who: 'user', limited: true },
    guard: 'policy',
  },
  reject: {
    summary: '驳回认购',
    short: '驳回',
    danger: true,
    ability: ABILITY.subscription,
    target: 'ieo',
    from: [0],
    reason: 'expected',
    reasons: ['认购额度已满', '不符合认购资格', '资料不符，请联系客服', '账户存在异常'],
    guard: 'none',
  },
} as const satisfies ActionTable;

export const ieoFacts = {
  actions: ieoActions,
  targets: { ieo: { label: '认购', path: '/ieo/review?open={id}', isSearchable: true, states: ieoStates } },
  notifications: {
    'ieo.ordered': { label: '新认购申请', rings: true },
    'ieo.passed': { label: '认购已通过' },
    'ieo.rejected': { label: '认购已驳回' },
    'ieo.cancelled': { label: '用户撤销认购' },
    'ieo.overdue': { label: '认购超时未处理', rings: true },
  },
  waiting: {
    ieoReview: {
      label: '待审核认购',
      query: '',
      ability: ABILITY.subscription,
      queue: { targetMinutes: 240, decisions: ['pass', 'reject'] },
    },
  },
} as const satisfies NounFacts;
