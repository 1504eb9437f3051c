import type { Module } from '../../module.ts';
import { answerRequest, screeningEvents } from './screening.events.ts';
import { screeningPayout } from './screening-payout.steps.ts';
import type { ScreenedRecords } from './screening.steps.ts';
import { bypassAuth, bypassWithdraw, screenAuth, screenWithdraw } from './screening.service.ts';

/** @param records the finders of the modules whose records are screened */
export const screeningModule = (records: ScreenedRecords) =>
  ({
    routes: {
      requestWithdraw: screenWithdraw,
      bypassWithdraw,
      requestAuth: screenAuth(records),
      bypassAuth: bypassAuth(records),
    },
    events: screeningEvents,
    payout: screeningPayout,
    answers: { 'screen.requested': answerRequest },
  }) satisfies Module<'screening'>;
