import { ABILITY } from '../../authority/ability.ts';
import type { ActionTable, NounFacts } from '../../authority/action.ts';

export const SPOT = { open: 0, partial: 1, filled: 2, cancelled: 3, cancelling: 4 } as const;
/** States of an order that may still be filled. */
export const openSpotStates = [SPOT.open, SPOT.partial, SPOT.cancelling] as const;
export const spotStates = { 0: '委托中', 1: '部分成交', 2: '已成交', 3: '已撤销', 4: '撤单中' } as const;

export const ORDER_TYPE = { limit: 1, market: 2 } as const;
export const orderTypes = { 1: '限价', 2: '市价' } as const;
export type OrderType = keyof typeof orderTypes;

export const spotActions = {
  cancel: {
    summary: '撤销委托',
    ability: ABILITY.orders,
    target: 'trade',
    from: [0, 1],
    reason: 'optional',
    reasons: ['用户申请', '风险控制', '价格异常', '市场维护'],
    approvable: 'trade.cancel',
    policy: { mode: 0, amount: '0', who: 'user' },
    guard: 'policy',
  },
  cancelAll: {
    summary: '撤销市场全部委托',
    ability: ABILITY.orders,
    reason: 'required',
    reasons: ['用户申请', '风险控制', '价格异常', '市场维护'],
    fresh: true,
    approvable: 'trade.cancelAll',
    policy: { mode: 0, amount: '0', who: 'maker' },
    guard: 'policy',
  },
} as const satisfies ActionTable;

export const spotFacts = {
  actions: spotActions,
  targets: { trade: { label: '现货委托', path: '/trade/order?open={id}', isSearchable: true, states: spotStates } },
  notifications: {
    'trade.cancelling': { label: '撤单中' },
    'trade.cancelled': { label: '委托已撤销' },
    'trade.cancelFailed': { label: '撤单失败', rings: true },
  },
} as const satisfies NounFacts;
