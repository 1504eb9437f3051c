import { refusals } from '@hengtai/contract/refusals';
import { refuse } from '../refuse.ts';

/**
 * Logins that a process has under way at a time; each waits for its turn to hash, which is the dearest thing that a
 * stranger can ask for. Browsers that logged in before have as many places again that strangers cannot fill.
 */
export const STRANGERS_AT_ONCE = 32;
export const KNOWN_AT_ONCE = 32;

const under = { strangers: 0, known: 0 };

/**
 * Lets a login in while there is a place.
 *
 * @throws Refused 429 when there is none; nothing was looked at then, and no guess is counted
 */
export async function inCrowd<T>(known: boolean, work: () => Promise<T>): Promise<T> {
  const kind = known ? 'known' : 'strangers';
  if (under[kind] >= (known ? KNOWN_AT_ONCE : STRANGERS_AT_ONCE)) throw refuse(refusals.loginCrowd);
  under[kind] += 1;
  try {
    return await work();
  } finally {
    under[kind] -= 1;
  }
}
