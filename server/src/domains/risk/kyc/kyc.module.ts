import type { Module } from '../../module.ts';
import { fillIdentityKeys } from './identity-key.jobs.ts';
import { kycEvents } from './kyc.events.ts';
import { findScreenedSubmission, kycDetail, kycFind, kycImage, kycPass, kycReject, kycReveal } from './kyc.service.ts';
import { openKycSubmissions, listKycSubmissions } from './kyc.store.ts';
import { kycWaiting } from './kyc-waiting.store.ts';

export const kycModule = {
  routes: {
    list: listKycSubmissions,
    detail: kycDetail,
    image: kycImage,
    reveal: kycReveal,
    find: kycFind,
    pass: kycPass,
    reject: kycReject,
    passMany: { each: kycPass },
    rejectMany: { each: kycReject },
  },
  events: kycEvents,
  openItems: openKycSubmissions,
  userTables: [{ table: 'auth' }],
  screened: { auth: findScreenedSubmission },
  waiting: kycWaiting,
  jobs: [{ name: 'identity-keys', everyMs: 4_000, run: fillIdentityKeys }],
} satisfies Module<'auth'>;
