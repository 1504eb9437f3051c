import { refusals } from '@hengtai/contract/refusals';
import type { Db } from '../db/connect.ts';
import { refuse } from '../refuse.ts';
import { countGuess, forgiveGuess } from './login.store.ts';

/** A name under which guesses are counted, and how many it may have in any sixty minutes. */
export interface Guard {
  name: string;
  most: number;
}

/** A guess that may be tried. */
export interface Guess {
  /** None may follow it within the hour. */
  last: boolean;
  /** It was right, or it never was one: it is not counted. */
  forgive: () => Promise<void>;
}

/**
 * Counts a guess under all of its names before it is tried.
 *
 * @throws Refused 429 when one of them has had its share; then it is counted under none
 */
export async function beginGuess(db: Db, guards: readonly Guard[], now: number): Promise<Guess> {
  const counted: Guard[] = [];
  const forgive = async (): Promise<void> => {
    for (const { name } of counted) await forgiveGuess(db, name, now);
  };
  let last = false;
  for (const guard of guards) {
    const tries = await countGuess(db, guard.name, guard.most, now);
    if (tries === undefined) {
      await forgive();
      throw refuse(refusals.loginLocked);
    }
    counted.push(guard);
    last ||= tries === guard.most;
  }
  return { last, forgive };
}

/** Of IPv6 the network, which its holder has whole. */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined) return mapped;
  if (!ip.includes(':')) return ip;
  const [head = '', tail] = ip.toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
