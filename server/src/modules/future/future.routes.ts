import type { HandlersOf } from '../../resources.ts';
import { listCloses } from './future-close.store.ts';
import { futureExpect, futureExposure, futureHeat } from './future-risk.service.ts';
import { futureCancel, futureClose, futureDetail } from './future.service.ts';
import { listEndedFutures, listFutures } from './future.store.ts';

export const futureRoutes: HandlersOf<'future'> = {
  list: listFutures,
  openHistory: listEndedFutures,
  closeHistory: listCloses,
  detail: futureDetail,
  cancel: futureCancel,
  cancelMany: { each: futureCancel },
  close: futureClose,
  closeMany: { each: futureClose },
  expectInfo: futureExpect,
  exposure: futureExposure,
  heat: futureHeat,
};
