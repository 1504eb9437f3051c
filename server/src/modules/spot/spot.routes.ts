import type { HandlersOf } from '../../resources.ts';
import { spotCancel, spotCancelAll, spotDetail, spotPreview } from './spot.service.ts';
import { listSpotOrders } from './spot.store.ts';

export const spotRoutes: HandlersOf<'trade'> = {
  list: listSpotOrders,
  detail: spotDetail,
  cancel: spotCancel,
  cancelMany: { each: spotCancel },
  preview: spotPreview,
  cancelAll: spotCancelAll,
};
