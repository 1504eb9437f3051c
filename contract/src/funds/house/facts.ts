import { ABILITY } from '../../authority/ability.ts';
import type { ActionTable, NounFacts } from '../../authority/action.ts';

/** Setting: the insurance of a coin below which an alarm is raised, in USDT; 0 is no alarm. */
export const INSURANCE_BOUND = 'house.insuranceBound';

export const houseActions = {
  transfer: {
    summary: '平台账户划转',
    ability: ABILITY.assets,
    reason: 'required',
    reasons: ['注入自有资金', '取回自有资金', '补充风险准备金', '结转收入'],
    fresh: true,
    approvable: 'house.transfer',
    policy: { mode: 1, amount: '0', who: 'maker' },
    guard: 'policy',
  },
} as const satisfies ActionTable;

export const houseFacts = {
  actions: houseActions,
  targets: {
    house: { label: '平台账户', path: '/house?marketId={id}' },
    houseTransfer: { label: '平台划转', path: '/house/entry?type=30&refId={id}', ledgerOnly: true },
  },
} as const satisfies NounFacts;
