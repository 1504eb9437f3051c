import { ABILITY } from './ability.ts';
import type { AssetChange, AssetPreview, AssetPreviewInput } from './asset.schema.ts';
import { call } from './endpoint.ts';
import type { AssetRow } from './user.schema.ts';

/** Manual adjustments of a user's balance. */
export const ASSET = { activeAdd: 1, activeSub: 2, frozenAdd: 3, frozenSub: 4 } as const;
export const assetActions = { 1: '增加', 2: '扣减', 3: '冻结', 4: '解冻' } as const;
export type AssetAction = keyof typeof assetActions;

/** Whether reports count an addition as a recharge and a subtraction as a withdrawal. They never count freezing. */
export const assetStates = { 1: '计入充提报表', 0: '仅作更正' } as const;

export const assetReasons: Readonly<Record<AssetAction, readonly string[]>> = {
  1: ['线下充值入账', '活动奖励', '补偿用户', '更正少记'],
  2: ['线下提现出账', '误操作更正', '追回多发', '更正多记'],
  3: ['账户异常核查', '配合司法协查', '用户申请冻结'],
  4: ['核查完毕', '误冻结更正', '用户申请解冻'],
};

const mutation = {
  method: 'POST',
  kind: 'action',
  ability: ABILITY.assets,
  target: 'user',
  targetBy: 'userId',
  reason: 'expected',
  fresh: true,
} as const;

export const asset = {
  activeAdd: call<AssetChange, AssetRow>()({
    ...mutation,
    path: 'asset/active/add',
    summary: '增加资产',
    approvable: 'asset.active',
  }),
  activeSub: call<AssetChange, AssetRow>()({
    ...mutation,
    path: 'asset/active/sub',
    summary: '扣减资产',
    approvable: 'asset.active',
  }),
  frozenAdd: call<AssetChange, AssetRow>()({
    ...mutation,
    path: 'asset/frozen/add',
    summary: '冻结资产',
    approvable: 'asset.frozen',
  }),
  frozenSub: call<AssetChange, AssetRow>()({
    ...mutation,
    path: 'asset/frozen/sub',
    summary: '解冻资产',
    approvable: 'asset.frozen',
  }),
  preview: call<AssetPreviewInput, AssetPreview>()({
    method: 'GET',
    path: 'asset/preview',
    summary: '资产调整预览',
    kind: 'read',
    ability: ABILITY.assets,
    target: 'user',
    targetBy: 'userId',
  }),
};
