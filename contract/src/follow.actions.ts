import { ABILITY } from './ability.ts';
import type { ActionTable } from './action.ts';

export const followActions = {
  close: {
    summary: '结束跟单',
    ability: ABILITY.orders,
    target: 'follow',
    from: [1],
    reason: 'optional',
    reasons: ['用户申请', '风险控制', '信号异常', '市场维护'],
    approvable: 'follow.close',
    policy: { mode: 0, amount: '0', what: '替用户结束跟单', who: 'user' },
    guard: 'policy',
  },
} as const satisfies ActionTable;
