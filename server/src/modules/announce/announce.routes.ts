import type { HandlersOf } from '../../resources.ts';
import { announceAdd, announceDel, announceDetail, announceSave } from './announce.service.ts';
import { listAnnounces } from './announce.store.ts';

export const announceRoutes: HandlersOf<'announce'> = {
  list: listAnnounces,
  detail: announceDetail,
  add: announceAdd,
  save: announceSave,
  del: announceDel,
};
