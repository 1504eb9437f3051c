import { ABILITY } from '../../authority/ability.ts';
import type { ActionTable, NounFacts } from '../../authority/action.ts';

export const RECHARGE = { waiting: 0, credited: 1, failed: 2, held: 3, reversed: 4 } as const;
/** States of a recharge that may still be credited. */
export const openRechargeStates = [RECHARGE.waiting, RECHARGE.held] as const;
export const rechargeStates = { 0: '待确认', 1: '已到账', 2: '已失败', 3: '风控挂起', 4: '已冲正' } as const;

const onRecharge = { ability: ABILITY.assets, target: 'recharge', reason: 'optional' } as const;

export const rechargeActions = {
  hold: { ...onRecharge, summary: '挂起充值', short: '挂起', from: [0], guard: { tightens: '挂起充值' } },
  release: {
    ...onRecharge,
    summary: '放行充值',
    short: '放行',
    from: [3],
    approvable: 'recharge.release',
    policy: { mode: 2, amount: '10000', who: 'user', limited: true },
    guard: { loosens: '放行他人挂起的充值' },
  },
} as const satisfies ActionTable;

export const rechargeFacts = {
  actions: rechargeActions,
  targets: {
    recharge: { label: '充值', path: '/recharge?open={id}&id={id}', isSearchable: true, states: rechargeStates },
  },
  notifications: {
    'recharge.detected': { label: '充值待确认' },
    'recharge.credited': { label: '充值到账' },
    'recharge.held': { label: '充值挂起', rings: true },
    'recharge.released': { label: '充值已放行' },
    'recharge.failed': { label: '充值失败' },
    'recharge.reversed': { label: '充值冲正', rings: true },
    'recharge.overdue': { label: '挂起充值超时未处理', rings: true },
  },
  waiting: {
    rechargeWaiting: { label: '待确认充值', query: '?state=0', ability: ABILITY.assets, badge: false },
    rechargeHeld: {
      label: '风控挂起充值',
      query: '?state=3',
      ability: ABILITY.assets,
      queue: { targetMinutes: 120, decisions: ['release'] },
    },
  },
} as const satisfies NounFacts;
