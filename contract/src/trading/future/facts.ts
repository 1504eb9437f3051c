import { ABILITY } from '../../authority/ability.ts';
import type { ActionTable, NounFacts } from '../../authority/action.ts';

const cancelReasons = ['用户申请', '风险控制', '价格异常', '市场维护'] as const;
const onOrder = { ability: ABILITY.orders, target: 'future', reason: 'optional', guard: 'policy' } as const;

export const FUTURE = {
  pending: 0,
  open: 1,
  closed: 2,
  cancelled: 3,
  liquidated: 4,
  cancelling: 5,
  closing: 6,
} as const;
/** States of orders that wait and of positions that are open. */
export const openFutureStates = [FUTURE.pending, FUTURE.open, FUTURE.cancelling, FUTURE.closing] as const;
export const futureStates = {
  0: '委托中',
  1: '持仓中',
  2: '已平仓',
  3: '已撤销',
  4: '已强平',
  5: '撤单中',
  6: '平仓中',
} as const;

export const futureActions = {
  cancel: {
    ...onOrder,
    summary: '撤销合约委托',
    from: [0],
    reasons: cancelReasons,
    approvable: 'future.cancel',
    policy: { mode: 0, amount: '0', who: 'user' },
  },
  cancelAll: {
    summary: '撤销市场全部合约委托',
    ability: ABILITY.orders,
    reason: 'required',
    reasons: cancelReasons,
    fresh: true,
    approvable: 'future.cancelAll',
    policy: { mode: 0, amount: '0', who: 'maker' },
    guard: 'policy',
  },
  close: {
    ...onOrder,
    summary: '合约平仓',
    from: [1],
    reasons: ['用户申请', '风险控制', '临近强平', '市场维护'],
    approvable: 'future.close',
    policy: { mode: 0, amount: '0', who: 'user' },
  },
} as const satisfies ActionTable;

export const futureFacts = {
  actions: futureActions,
  targets: { future: { label: '合约订单', path: '/future/open?open={id}', isSearchable: true, states: futureStates } },
  notifications: {
    'future.cancelling': { label: '合约撤单中' },
    'future.cancelled': { label: '合约委托已撤销' },
    'future.cancelFailed': { label: '合约撤单失败', rings: true },
    'future.closing': { label: '合约平仓中' },
    'future.closed': { label: '合约已按指令平仓' },
    'future.closeFailed': { label: '合约平仓失败', rings: true },
    'future.liquidated': { label: '合约强平' },
  },
} as const satisfies NounFacts;
