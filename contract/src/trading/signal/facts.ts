import { ABILITY } from '../../authority/ability.ts';
import type { ActionTable, NounFacts } from '../../authority/action.ts';

export const SIGNAL = { draft: 0, running: 1, ended: 2 } as const;
export const signalStates = { 0: '草稿', 1: '进行中', 2: '已结束' } as const;

/** Leverage of a signal that one person may publish while four-eyes are locked. */
export const LEVERAGE_ALONE = 20;
const HIGH_LEVERAGE = `杠杆超过 ${LEVERAGE_ALONE} 倍的信号`;

export const signalActions = {
  add: { summary: '新增信号', ability: ABILITY.markets, reason: 'optional', guard: { loosens: HIGH_LEVERAGE } },
  change: {
    summary: '修改信号',
    ability: ABILITY.markets,
    reason: 'optional',
    guard: { loosens: HIGH_LEVERAGE, tightens: '结束信号' },
  },
} as const satisfies ActionTable;

export const signalFacts = {
  actions: signalActions,
  targets: { signal: { label: '跟单信号', path: '/signal?open={id}', states: signalStates } },
} as const satisfies NounFacts;
