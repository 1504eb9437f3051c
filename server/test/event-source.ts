import type { ModelEvent, RecordKind } from './event-model-state.ts';
import { type EventModel, type Judgement, ONE, active } from './event-model.ts';
import { decimal, units } from './ledger-model.ts';

/** Seeded random number generator (mulberry32). */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export interface Made {
  type: string;
  data: Record<string, unknown>;
}
export type Kind = readonly [weight: number, make: (source: EventSource, model: EventModel) => Made | undefined];
export interface Judged {
  event: ModelEvent;
  judgement: Judgement;
}

/** Later events refer to one of this many most recent records. */
const RECENT = 30;
/** Maximum amount for futures and binary-contract accounts, so that profits stay below the account limit. */
export const MODEST = 10n ** 12n * ONE;

/** Generates events from a seed. References come from the model, so that most events are valid. */
export class EventSource {
  /** Event time in unix milliseconds. */
  clock: number;
  readonly below: (n: number) => number;
  readonly accounts: readonly string[];
  private readonly model: EventModel;
  private readonly recent = new Map<RecordKind, string[]>();
  private readonly sent: ModelEvent[] = [];
  private made = 0;

  constructor(model: EventModel, below: (n: number) => number, accounts: readonly string[], clock: number) {
    this.model = model;
    this.below = below;
    this.accounts = accounts;
    this.clock = clock;
  }

  /** Creates a unique record number and remembers it under its kind. */
  no(kind: RecordKind | 'other'): string {
    const no = `${kind}-${(this.made += 1)}`;
    if (kind !== 'other') this.recentOf(kind).push(no);
    return no;
  }

  recentOf(kind: RecordKind): string[] {
    const list = this.recent.get(kind) ?? [];
    this.recent.set(kind, list);
    if (list.length > RECENT) list.splice(0, list.length - RECENT);
    return list;
  }

  pick<T>(from: readonly T[]): T {
    const found = from[this.below(from.length)];
    if (found === undefined) throw new Error('There is nothing to pick from.');
    return found;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  /** Number of a known record, mostly in one of the given states if one exists; rarely an unknown number. */
  known(kind: RecordKind, ...states: readonly number[]): string {
    const list = this.recentOf(kind);
    if (list.length === 0 || this.chance(2)) return 'nobody-knows';
    const records = this.model.recordsOf(kind);
    const fitting = this.chance(15) ? [] : list.filter((no) => states.includes(records.get(no)?.state ?? -1));
    return this.pick(fitting.length > 0 ? fitting : list);
  }

  /** A new number, rarely one that is already in use. */
  fresh(kind: RecordKind): string {
    const list = this.recentOf(kind);
    return list.length > 0 && this.chance(3) ? this.pick(list) : this.no(kind);
  }

  account(): string {
    if (this.chance(1)) return 'nobody';
    const account = this.pick(this.accounts);
    return this.chance(5) ? account.toUpperCase() : account;
  }

  /** A user with a positive balance if one is found within a few tries. */
  payer(market: string, platform: number): string {
    for (let tries = 0; tries < 4; tries += 1) {
      const account = this.account();
      if (this.freeOf(account, market, platform) > 0n) return account;
    }
    return this.account();
  }

  digits(count: number): bigint {
    let value = 0n;
    for (let n = 0; n < count; n += 1) value = value * 10n + BigInt(this.below(10));
    return value;
  }

  /** A random amount above zero: tiny, small, ordinary, or with up to 36 digits. */
  amount(largest = MODEST): bigint {
    const kind = this.below(100);
    const value =
      kind < 20
        ? BigInt(1 + this.below(30))
        : kind < 50
          ? this.digits(18 + this.below(3))
          : kind < 94
            ? this.digits(18 + this.below(7))
            : this.digits(28 + this.below(9));
    return value > largest ? (value % largest) + 1n : value + 1n;
  }

  /** Part of an amount: often a fraction, sometimes all of it, slightly more, or a tiny part. */
  partOf(all: bigint): bigint {
    const kind = this.below(100);
    if (all <= 1n || kind < 10) return BigInt(1 + this.below(20));
    if (kind < 14) return all;
    if (kind < 18) return all + 1n;
    return (all * (this.digits(18) + 1n)) / (ONE * BigInt(2 + this.below(12))) + 1n;
  }

  /** Truncates to a number of decimals; never to zero. */
  cut(amount: bigint, decimals: number): bigint {
    const step = 10n ** BigInt(18 - decimals);
    return amount < step ? step : amount - (amount % step);
  }

  /** Truncates to the decimals of a market, rarely with one decimal too many. */
  fit(amount: bigint, decimals: number): bigint {
    return this.cut(amount, decimals < 18 && this.chance(3) ? decimals + 1 : decimals);
  }

  /** Canonical text, sometimes with extra trailing zeros. */
  text(amount: bigint): string {
    const text = decimal(amount);
    return text.includes('.') && text.length < 16 && this.chance(10) ? `${text}00` : text;
  }

  freeOf(account: string, market: string, platform: number): bigint {
    return this.model.state.balances.get(active(account.toLowerCase(), market, platform).name) ?? 0n;
  }

  /** A small share of an amount, often zero. */
  feeOf(amount: bigint): bigint {
    if (this.chance(30)) return 0n;
    if (this.chance(4)) return amount + 1n;
    return this.chance(20) ? BigInt(this.below(5)) : (amount * this.digits(15)) / ONE;
  }

  price(decimals: number): bigint {
    const value = this.chance(10) ? BigInt(1 + this.below(1000)) : this.digits(18 + this.below(4)) + 1n;
    return this.fit(value, decimals);
  }

  /** A price near another: usually better for the side, sometimes equal, rarely worse. */
  priceNear(price: bigint, side: number, decimals: number): bigint {
    if (this.chance(30)) return price;
    const by = (price * this.digits(17)) / ONE + 1n;
    const isBetter = !this.chance(8);
    return this.cut((side === 1) === isBetter && price > by ? price - by : price + by, decimals);
  }

  /**
   * Generates a batch. The model judges each event when it is generated.
   *
   * @param ticks whether the batch may contain ticks
   * @param stakes whether events may use the free balance of binary-contract accounts
   */
  batch(size: number, kinds: readonly Kind[], { ticks, stakes }: { ticks: boolean; stakes: boolean }): Judged[] {
    const total = kinds.reduce((sum, [weight]) => sum + weight, 0);
    const judged: Judged[] = [];
    let isSettling = ticks;
    while (judged.length < size) {
      const event = this.sent.length > 0 && this.chance(3) ? this.again() : this.next(kinds, total);
      if (!event || (event.type === 'tick' && !ticks)) continue;
      if (usesStakes(event) && (!stakes || (isSettling && !this.isCovered(event)))) continue;
      // The server may settle a backdated contract at once.
      if (event.type === 'second.opened' && event.at < this.clock) isSettling = true;
      judged.push({ event, judgement: this.model.judge(event) });
      if (this.sent.push(event) > 2_000) this.sent.splice(0, 1_000);
    }
    return judged;
  }

  private next(kinds: readonly Kind[], total: number): ModelEvent | undefined {
    let left = this.below(total);
    const made = kinds.find(([weight]) => (left -= weight) < 0)?.[1](this, this.model);
    if (!made) return undefined;
    this.clock += this.chance(1) ? 40_000 : 1 + this.below(1_500);
    const { type, data } = made;
    const at = this.clock - (type === 'second.opened' && this.chance(4) ? 400_000 : 0);
    const eventId = `e-${(this.made += 1)}`;
    return { eventId, type, at, data: type === 'tick' ? { ...data, at: this.chance(2) ? at - 5_000 : at } : data };
  }

  /** Repeats a sent event, either unchanged or with other content under the same id. */
  private again(): ModelEvent {
    const old = this.pick(this.sent.slice(-200));
    if (!this.model.state.seen.has(old.eventId) || this.chance(50)) return old;
    const data = { account: this.pick(this.accounts), market: 'USDT', platform: 1, active: '1' };
    return { ...old, type: 'balance.imported', data };
  }

  /** Whether the balance suffices without the payouts of contracts that settle during the batch. */
  private isCovered({ data }: ModelEvent): boolean {
    return units(String(data['amount'])) <= this.freeOf(String(data['account']), 'USDT', 4);
  }
}

const usesStakes = ({ type, data }: ModelEvent): boolean =>
  type === 'second.opened' || (type === 'transfer.made' && data['platform'] === 4 && data['market'] === 'USDT');
