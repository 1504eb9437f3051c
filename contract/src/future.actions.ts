import { ABILITY } from './ability.ts';
import type { ActionTable } from './action.ts';

export const futureActions = {
  cancel: {
    summary: '撤销合约委托',
    ability: ABILITY.orders,
    target: 'future',
    from: [0],
    reason: 'optional',
    reasons: ['用户申请', '风险控制', '价格异常', '市场维护'],
    approvable: 'future.cancel',
    policy: { mode: 0, amount: '0', what: '撤销用户的一笔合约委托', who: 'user' },
    guard: 'policy',
  },
  close: {
    summary: '合约平仓',
    ability: ABILITY.orders,
    target: 'future',
    from: [1],
    reason: 'optional',
    reasons: ['用户申请', '风险控制', '临近强平', '市场维护'],
    approvable: 'future.close',
    policy: { mode: 0, amount: '0', what: '替用户平掉合约仓位', who: 'user' },
    guard: 'policy',
  },
} as const satisfies ActionTable;
