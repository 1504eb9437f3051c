import type { Bucket, Platform } from '@hengtai/contract/values/money';

/** In-memory ledger that tests compare with the real one. Amounts are integers in units of 10^-18. */

const ONE = 10n ** 18n;

export function formatUnits(units: bigint): string {
  const sign = units < 0n ? '-' : '';
  const absolute = units < 0n ? -units : units;
  const fraction = (absolute % ONE).toString().padStart(18, '0').replace(/0+$/, '');
  return `${sign}${absolute / ONE}${fraction === '' ? '' : `.${fraction}`}`;
}

export function parseUnits(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.replace('-', '').split('.');
  const absolute = BigInt(whole) * ONE + BigInt(fraction.padEnd(18, '0'));
  return amount.startsWith('-') ? -absolute : absolute;
}

/** One account. `user` is the index of the user in the run, absent for the house. */
export interface ModelAccount {
  user?: number;
  house?: 'custody' | 'fee';
  market: number;
  platform: Platform;
  bucket: Bucket;
}

export interface Move {
  from: ModelAccount;
  to: ModelAccount;
  amount: bigint;
}

export interface Hold {
  user: number;
  market: number;
  platform: Platform;
  amount: bigint;
  released: bigint;
}

export type Outcome = 'done' | 'insufficient' | 'exceeded';

export const nameOf = ({ user, house, market, platform, bucket }: ModelAccount): string =>
  house ? `${house} ${market}` : `user ${user} ${market} ${platform} ${bucket}`;

export class Book {
  readonly balances = new Map<string, bigint>();
  readonly holds: Hold[] = [];
  /** Every change with its business time (ms), for balances at a past moment. */
  readonly history: { at: number; name: string; change: bigint }[] = [];

  /** Applies all moves or none. No move may leave a user's balance below zero, not even temporarily. */
  move(at: number, moves: readonly Move[]): Outcome {
    const changes = moves.flatMap(({ from, to, amount }) => [
      { account: from, change: -amount },
      { account: to, change: amount },
    ]);
    const newBalances = new Map(this.balances);
    for (const { account, change } of changes) {
      const balance = (newBalances.get(nameOf(account)) ?? 0n) + change;
      if (account.user !== undefined && balance < 0n) return 'insufficient';
      newBalances.set(nameOf(account), balance);
    }
    for (const [name, balance] of newBalances) this.balances.set(name, balance);
    for (const { account, change } of changes) this.history.push({ at, name: nameOf(account), change });
    return 'done';
  }

  freeze(at: number, hold: Omit<Hold, 'released'>): Outcome {
    const { user, market, platform, amount } = hold;
    const active: ModelAccount = { user, market, platform, bucket: 'active' };
    const outcome = this.move(at, [{ from: active, to: { ...active, bucket: 'frozen' }, amount }]);
    if (outcome === 'done') this.holds.push({ ...hold, released: 0n });
    return outcome;
  }

  release(at: number, hold: Hold, amount: bigint, to: ModelAccount): Outcome {
    if (hold.released + amount > hold.amount) return 'exceeded';
    const { user, market, platform } = hold;
    const outcome = this.move(at, [{ from: { user, market, platform, bucket: 'frozen' }, to, amount }]);
    if (outcome === 'done') hold.released += amount;
    return outcome;
  }

  /** Non-zero balances at a moment, by account name. */
  balancesAt(moment: number): Map<string, bigint> {
    const balances = new Map<string, bigint>();
    for (const { at, name, change } of this.history) {
      if (at <= moment) balances.set(name, (balances.get(name) ?? 0n) + change);
    }
    return withoutZeros(balances);
  }

  now(): Map<string, bigint> {
    return withoutZeros(this.balances);
  }
}

export const withoutZeros = (balances: ReadonlyMap<string, bigint>): Map<string, bigint> =>
  new Map([...balances].filter(([, balance]) => balance !== 0n).sort(([a], [b]) => (a < b ? -1 : 1)));
