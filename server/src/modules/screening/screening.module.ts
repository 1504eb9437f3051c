import type { Module } from '../module.ts';
import { answerRequest, screeningEvents } from './screening.events.ts';
import { bypassAuth, bypassWithdraw, screenAuth, screenWithdraw } from './screening.service.ts';

export const screeningModule = {
  routes: {
    requestWithdraw: screenWithdraw,
    bypassWithdraw,
    requestAuth: screenAuth,
    bypassAuth,
  },
  events: screeningEvents,
  answers: { 'screen.requested': answerRequest },
} satisfies Module<'screening'>;
