import type { HandlersOf } from '../../resources.ts';
import { followClose, followDetail } from './follow.service.ts';
import { listFollows } from './follow.store.ts';

export const followRoutes: HandlersOf<'follow'> = {
  list: listFollows,
  detail: followDetail,
  close: followClose,
  closeMany: { each: followClose },
};
