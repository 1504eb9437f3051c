import { ABILITY } from './ability.ts';
import type { ActionTable } from './action.ts';

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
    policy: { mode: 0, amount: '0', what: '通过用户的代币认购', who: 'user', limited: true },
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
