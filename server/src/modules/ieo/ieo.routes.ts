import type { HandlersOf } from '../../resources.ts';
import { ieoDetail } from './ieo-detail.service.ts';
import { ieoPass, ieoReject } from './ieo.service.ts';
import { listIeos } from './ieo.store.ts';

export const ieoRoutes: HandlersOf<'ieo'> = {
  list: listIeos,
  detail: ieoDetail,
  pass: ieoPass,
  reject: ieoReject,
  passMany: { each: ieoPass },
  rejectMany: { each: ieoReject },
};
