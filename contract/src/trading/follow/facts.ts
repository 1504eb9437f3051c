import { ABILITY } from '../../authority/ability.ts';
import type { ActionTable, NounFacts } from '../../authority/action.ts';

export const FOLLOW = { running: 1, ended: 2, ending: 3 } as const;
export const openFollowStates = [FOLLOW.running, FOLLOW.ending] as const;
export const followStates = { 1: '跟单中', 2: '已结束', 3: '结束中' } as const;

export const followActions = {
  close: {
    summary: '结束跟单',
    ability: ABILITY.orders,
    target: 'follow',
    from: [1],
    reason: 'optional',
    reasons: ['用户申请', '风险控制', '信号异常', '市场维护'],
    approvable: 'follow.close',
    policy: { mode: 0, amount: '0', who: 'user' },
    guard: 'policy',
  },
} as const satisfies ActionTable;

export const followFacts = {
  actions: followActions,
  targets: { follow: { label: '跟单', path: '/follow?open={id}', isSearchable: true, states: followStates } },
  notifications: {
    'follow.closing': { label: '跟单结束中' },
    'follow.closed': { label: '跟单已结束' },
    'follow.closeFailed': { label: '结束跟单失败', rings: true },
  },
} as const satisfies NounFacts;
