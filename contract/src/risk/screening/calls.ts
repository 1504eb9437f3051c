import { action } from '../../wire/endpoint.ts';
import type { ActionInput } from '../../wire/schema.ts';
import { screeningActions } from './facts.ts';
import type { ScreenBypassInput, Screening } from './schema.ts';

/** Setting: a withdrawal is paid only after an answer about its address. */
export const SCREEN_ADDRESS = 'screening.address';
/** Setting: an identity review passes only after an answer about the name. */
export const SCREEN_NAME = 'screening.name';
/** Setting: value in USDT from which addresses are screened. */
export const SCREEN_MINIMUM = 'screening.minimum';
/** Setting: coins that are not screened, separated by commas. */
export const SCREEN_EXEMPT = 'screening.exempt';
/** Setting: minutes in which an answer is expected. */
export const SCREEN_WAIT = 'screening.waitMinutes';
/** Setting: hours for which an answer is valid. */
export const SCREEN_VALID = 'screening.validHours';

/** Requests about one record, the first included. */
export const SCREEN_REQUESTS_MAX = 10;
/** Answers to one request. */
export const SCREEN_ANSWERS_MAX = 20;

/** Screening of addresses and names by providers of the platform. */
export const screening = {
  requestWithdraw: action<ActionInput, Screening>()(screeningActions.requestWithdraw, 'screening/withdraw/request'),
  bypassWithdraw: action<ScreenBypassInput, Screening>()(screeningActions.bypassWithdraw, 'screening/withdraw/bypass'),
  requestAuth: action<ActionInput, Screening>()(screeningActions.requestAuth, 'screening/auth/request'),
  bypassAuth: action<ScreenBypassInput, Screening>()(screeningActions.bypassAuth, 'screening/auth/bypass'),
};
