import type { Module } from '../../module.ts';
import { activeAdd, activeSub, assetPreview, frozenAdd, frozenSub } from './asset.service.ts';

export const assetModule = {
  routes: {
    activeAdd,
    activeSub,
    frozenAdd,
    frozenSub,
    preview: assetPreview,
  },
} satisfies Module<'asset'>;
