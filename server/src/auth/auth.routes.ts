import type { HandlersOf } from '../resources.ts';
import { authDetail, authImage, authPass, authReject, authReveal } from './auth.service.ts';
import { listAuths } from './auth.store.ts';

export const authRoutes: HandlersOf<'auth'> = {
  list: listAuths,
  detail: authDetail,
  image: authImage,
  reveal: authReveal,
  pass: authPass,
  reject: authReject,
  passMany: { each: authPass },
  rejectMany: { each: authReject },
};
