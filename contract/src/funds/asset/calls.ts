import { ABILITY } from '../../authority/ability.ts';
import { assetActionTable } from './facts.ts';
import type { AssetChange, AssetPreview, AssetPreviewInput } from './schema.ts';
import { action, read } from '../../wire/endpoint.ts';
import type { AssetRow } from '../../people/user/schema.ts';

/** Manual adjustments of a user's balance. */
export const ASSET = { activeAdd: 1, activeSub: 2, frozenAdd: 3, frozenSub: 4 } as const;
export const asset = {
  activeAdd: action<AssetChange, AssetRow>()(assetActionTable.activeAdd, 'asset/active/add', { targetBy: 'userId' }),
  activeSub: action<AssetChange, AssetRow>()(assetActionTable.activeSub, 'asset/active/sub', { targetBy: 'userId' }),
  frozenAdd: action<AssetChange, AssetRow>()(assetActionTable.frozenAdd, 'asset/frozen/add', { targetBy: 'userId' }),
  frozenSub: action<AssetChange, AssetRow>()(assetActionTable.frozenSub, 'asset/frozen/sub', { targetBy: 'userId' }),
  preview: read<AssetPreviewInput, AssetPreview>()('asset/preview', '资产调整预览', {
    ability: ABILITY.assets,
    target: 'user',
    targetBy: 'userId',
  }),
};
