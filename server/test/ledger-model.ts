import type { Bucket, Platform } from '@hengtai/contract/money';

/** In-memory ledger that tests compare with the real one. Amounts are integers in units of 10^-18. */

const ONE = 10n ** 18n;

export function decimal(units: bigint): string {
  const sign = units < 0n ? '-' : '';
  const size = units < 0n ? -units : units;
  const fraction = (size % ONE).toString().padStart(18, '0').replace(/0+$/, '');
  return `${sign}${size / ONE}${fraction === '' ? '' : `.${fraction}`}`;
}

export function units(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.replace('-', '').split('.');
  const size = BigInt(whole) * ONE + BigInt(fraction.padEnd(18, '0'));
  return amount.startsWith('-') ? -size : size;
}

/** One account. `user` is the index of the user in the run, absent for the house. */
export interface Place {
  user?: number;
  house?: 'custody' | 'fee';
  market: number;
  platform: Platform;
  bucket: Bucket;
}

export interface Move {
  from: Place;
  to: Place;
  amount: bigint;
}

export interface Hold {
  user: number;
  market: number;
  platform: Platform;
  amount: bigint;
  released: bigint;
}

export type Verdict = 'done' | 'insufficient' | 'exceeded';

export const nameOf = ({ user, house, market, platform, bucket }: Place): string =>
  house ? `${house} ${market}` : `user ${user} ${market} ${platform} ${bucket}`;

export class Book {
  readonly balances = new Map<string, bigint>();
  readonly holds: Hold[] = [];
  /** Every change with its business time (ms), for balances at a past moment. */
  readonly history: { at: number; name: string; change: bigint }[] = [];

  /** Applies all moves or none. No move may leave a user's balance below zero, not even temporarily. */
  move(at: number, moves: readonly Move[]): Verdict {
    const changes = moves.flatMap(({ from, to, amount }) => [
      { place: from, change: -amount },
      { place: to, change: amount },
    ]);
    const after = new Map(this.balances);
    for (const { place, change } of changes) {
      const balance = (after.get(nameOf(place)) ?? 0n) + change;
      if (place.user !== undefined && balance < 0n) return 'insufficient';
      after.set(nameOf(place), balance);
    }
    for (const [name, balance] of after) this.balances.set(name, balance);
    for (const { place, change } of changes) this.history.push({ at, name: nameOf(place), change });
    return 'done';
  }

  freeze(at: number, hold: Omit<Hold, 'released'>): Verdict {
    const { user, market, platform, amount } = hold;
    const active: Place = { user, market, platform, bucket: 'active' };
    const verdict = this.move(at, [{ from: active, to: { ...active, bucket: 'frozen' }, amount }]);
    if (verdict === 'done') this.holds.push({ ...hold, released: 0n });
    return verdict;
  }

  release(at: number, hold: Hold, amount: bigint, to: Place): Verdict {
    if (hold.released + amount > hold.amount) return 'exceeded';
    const { user, market, platform } = hold;
    const verdict = this.move(at, [{ from: { user, market, platform, bucket: 'frozen' }, to, amount }]);
    if (verdict === 'done') hold.released += amount;
    return verdict;
  }

  /** Non-zero balances at a moment, by account name. */
  balancesAt(moment: number): Map<string, bigint> {
    const then = new Map<string, bigint>();
    for (const { at, name, change } of this.history) {
      if (at <= moment) then.set(name, (then.get(name) ?? 0n) + change);
    }
    return withoutNothing(then);
  }

  now(): Map<string, bigint> {
    return withoutNothing(this.balances);
  }
}

export const withoutNothing = (balances: ReadonlyMap<string, bigint>): Map<string, bigint> =>
  new Map([...balances].filter(([, balance]) => balance !== 0n).sort(([a], [b]) => (a < b ? -1 : 1)));
