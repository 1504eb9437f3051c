import { refusals } from '@hengtai/contract/refusals';
import { refuse } from '../refuse.ts';

/**
 * Logins that a process lets in at a time. Browsers that logged in before have as many places again that strangers cannot
 * fill.
 */
export const STRANGERS_AT_ONCE = 32;
export const KNOWN_AT_ONCE = 32;

/** So many of them are looked at at once, and the others wait: connections to the database are left for what goes on. */
const AT_WORK = 2;

const inside = { strangers: 0, known: 0 };
let working = 0;
const waiting: (() => void)[] = [];

/**
 * Lets a login in while there is a place.
 *
 * @throws Refused 429 when there is none; nothing was looked at then, and no guess is counted
 */
export async function inCrowd<T>(known: boolean, work: () => Promise<T>): Promise<T> {
  const kind = known ? 'known' : 'strangers';
  if (inside[kind] >= (known ? KNOWN_AT_ONCE : STRANGERS_AT_ONCE)) throw refuse(refusals.loginCrowd);
  inside[kind] += 1;
  try {
    return await inTurn(work);
  } finally {
    inside[kind] -= 1;
  }
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (working >= AT_WORK) await new Promise<void>((resolve) => waiting.push(resolve));
  else working += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else working -= 1;
  }
}
