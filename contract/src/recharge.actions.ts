import { ABILITY } from './ability.ts';
import type { ActionTable } from './action.ts';

export const rechargeActions = {
  hold: {
    summary: '挂起充值',
    short: '挂起',
    ability: ABILITY.assets,
    target: 'recharge',
    from: [0],
    reason: 'optional',
    guard: { tightens: '挂起充值' },
  },
  release: {
    summary: '放行充值',
    short: '放行',
    ability: ABILITY.assets,
    target: 'recharge',
    from: [3],
    reason: 'optional',
    guard: { loosens: '放行他人挂起的充值' },
  },
} as const satisfies ActionTable;
