import type { HandlersOf } from '../../resources.ts';
import { activeAdd, activeSub, assetPreview, frozenAdd, frozenSub } from './asset.service.ts';

export const assetRoutes: HandlersOf<'asset'> = { activeAdd, activeSub, frozenAdd, frozenSub, preview: assetPreview };
