import { ABILITY } from '../../authority/ability.ts';
import type { ActionTable, NounFacts } from '../../authority/action.ts';

export const marketStates = { 1: '上架', 0: '下架', 2: '暂停' } as const;

export const marketActions = {
  save: {
    summary: '保存市场',
    ability: ABILITY.markets,
    reason: 'optional',
    fresh: true,
    approvable: 'market.save',
    policy: { mode: 0, amount: '0', who: 'maker' },
    guard: { loosens: '修改限额、费率、网络等；新增市场', tightens: '下架、暂停、关闭充值提现或交易' },
  },
} as const satisfies ActionTable;

export const marketFacts = {
  actions: marketActions,
  targets: { market: { label: '市场', path: '/market?open={id}', states: marketStates } },
} as const satisfies NounFacts;
