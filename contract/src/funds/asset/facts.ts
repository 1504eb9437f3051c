import { ABILITY } from '../../authority/ability.ts';
import type { ActionTable, NounFacts } from '../../authority/action.ts';

/** Every adjustment needs a reason and a fresh code, and a second person if its policy says so. */
export const assetActions = { 1: '增加', 2: '扣减', 3: '冻结', 4: '解冻' } as const;
export type AssetAction = keyof typeof assetActions;

/**
 * Whether reports (the charts of the home page) count an addition as a recharge and a subtraction as a withdrawal. They
 * never count freezing.
 */
export const assetStates = { 1: '计入充提报表', 0: '仅作更正' } as const;

const adjustment = {
  ability: ABILITY.assets,
  target: 'user',
  reason: 'expected',
  fresh: true,
  guard: 'policy',
} as const;

export const assetActionTable = {
  activeAdd: {
    ...adjustment,
    summary: '增加资产',
    reasons: ['线下充值入账', '活动奖励', '补偿用户', '更正少记'],
    name: 'asset.active.add',
    approvable: 'asset.active',
    policy: {
      mode: 2,
      amount: '1000',
      who: 'user',
      limited: true,
      label: '增加与扣减资产',
    },
  },
  activeSub: {
    ...adjustment,
    summary: '扣减资产',
    reasons: ['线下提现出账', '误操作更正', '追回多发', '更正多记'],
    name: 'asset.active.sub',
    approvable: 'asset.active',
  },
  frozenAdd: {
    ...adjustment,
    summary: '冻结资产',
    reasons: ['账户异常核查', '配合司法协查', '用户申请冻结'],
    name: 'asset.frozen.add',
    approvable: 'asset.frozen',
    policy: { mode: 0, amount: '0', who: 'user', limited: true, label: '冻结与解冻资产' },
  },
  frozenSub: {
    ...adjustment,
    summary: '解冻资产',
    reasons: ['核查完毕', '误冻结更正', '用户申请解冻'],
    name: 'asset.frozen.sub',
    approvable: 'asset.frozen',
  },
} as const satisfies ActionTable;

export const assetFacts = {
  actions: assetActionTable,
  targets: { asset: { label: '资产' }, adjustment: { label: '资产调整', ledgerOnly: true } },
} as const satisfies NounFacts;
