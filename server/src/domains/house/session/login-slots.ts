import { refusals } from '@hengtai/contract/wire/refusals';
import { limitConcurrency } from '../../../host/limit-concurrency.ts';
import { refuse } from '../../../app/refuse.ts';

/**
 * Maximum pending logins per process. Known devices have slots of their own, so that a flood from unknown ones cannot block
 * operators.
 */
export const UNKNOWN_DEVICE_SLOTS = 32;
export const KNOWN_DEVICE_SLOTS = 32;

/** Logins processed at once; the others wait, so that they do not use up the database connections. */
const MAX_RUNNING = 2;

const pending = { unknown: 0, known: 0 };
const runQueued = limitConcurrency(MAX_RUNNING);

/**
 * Runs a login when a slot is free.
 *
 * @throws Refused 429 when all slots are taken; the login was not processed then, and no guess is counted
 */
export async function withLoginSlot<T>(isKnownDevice: boolean, work: () => Promise<T>): Promise<T> {
  const kind = isKnownDevice ? 'known' : 'unknown';
  if (pending[kind] >= (isKnownDevice ? KNOWN_DEVICE_SLOTS : UNKNOWN_DEVICE_SLOTS)) throw refuse(refusals.loginCrowd);
  pending[kind] += 1;
  try {
    return await runQueued(work);
  } finally {
    pending[kind] -= 1;
  }
}
