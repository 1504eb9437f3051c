import { ABILITY } from './ability.ts';
import type { ActionTable } from './action.ts';

export const spotActions = {
  cancel: {
    summary: '撤销委托',
    ability: ABILITY.orders,
    target: 'trade',
    from: [0, 1],
    reason: 'optional',
    reasons: ['用户申请', '风险控制', '价格异常', '市场维护'],
    approvable: 'trade.cancel',
    policy: { mode: 0, amount: '0', what: '撤销用户的一笔现货委托', who: 'user' },
    guard: 'policy',
  },
  cancelAll: {
    summary: '撤销市场全部委托',
    ability: ABILITY.orders,
    reason: 'required',
    reasons: ['用户申请', '风险控制', '价格异常', '市场维护'],
    fresh: true,
    approvable: 'trade.cancelAll',
    policy: { mode: 0, amount: '0', what: '撤销一个市场的全部现货委托', who: 'maker' },
    guard: 'policy',
  },
} as const satisfies ActionTable;
