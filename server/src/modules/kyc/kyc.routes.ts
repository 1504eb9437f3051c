import type { HandlersOf } from '../../resources.ts';
import { kycDetail, kycImage, kycPass, kycReject, kycReveal } from './kyc.service.ts';
import { listKycSubmissions } from './kyc.store.ts';

export const kycRoutes: HandlersOf<'auth'> = {
  list: listKycSubmissions,
  detail: kycDetail,
  image: kycImage,
  reveal: kycReveal,
  pass: kycPass,
  reject: kycReject,
  passMany: { each: kycPass },
  rejectMany: { each: kycReject },
};
