import { refusals } from '@hengtai/contract/wire/refusals';
import type { Db } from '../../../database/connect.ts';
import { refuse } from '../../../app/refuse.ts';
import { countGuess, removeGuess } from './login.store.ts';

/** A counter of guesses, by account, address or device, with its limit in any 60 minutes. */
export interface GuessCounter {
  name: string;
  max: number;
}

/** A counted guess that may now be checked. */
export interface Guess {
  /** The limit of a counter is reached, so the next guess within the hour is refused. */
  isLast: boolean;
  /** Takes the guess back, because it was right or because nothing was guessed. */
  remove: () => Promise<void>;
}

/**
 * Counts a guess in all of its counters before it is checked, so that parallel guesses cannot exceed a limit.
 *
 * @throws Refused 429 when one of the counters is at its limit; then the guess is counted in none
 */
export async function beginGuess(db: Db, counters: readonly GuessCounter[], now: number): Promise<Guess> {
  const counted: GuessCounter[] = [];
  const remove = async (): Promise<void> => {
    for (const { name } of counted) await removeGuess(db, name, now);
  };
  let isLast = false;
  for (const counter of counters) {
    const tries = await countGuess(db, counter.name, counter.max, now);
    if (tries === undefined) {
      await remove();
      throw refuse(refusals.loginLocked);
    }
    counted.push(counter);
    isLast ||= tries === counter.max;
  }
  return { isLast, remove };
}

/** The address under which guesses are counted: IPv4 as it is, IPv6 as its /64 network, which one holder controls. */
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
