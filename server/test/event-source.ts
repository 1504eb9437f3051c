import type { ModelEvent, RecordKind } from './event-model-state.ts';
import { type EventModel, type Judgement, ONE, active } from './event-model.ts';
import { decimal, units } from './ledger-model.ts';

/** Numbers from a seed (mulberry32). */
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

/** Records that events go on about are among the last so many. */
const RECENT = 30;
/** What may get to the accounts of futures and binary contracts, so that no profit is too large for an account. */
export const MODEST = 10n ** 12n * ONE;

/** Makes events from a seed. What they refer to is looked up in the model, so that most of them are possible. */
export class EventSource {
  /** What events say that the time is, in unix milliseconds. */
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

  /** A number that no other record has; it is remembered as one of its kind. */
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

  /** A number of a kind; mostly, where there is one, of a record in one of these states, and seldom one that nobody knows. */
  known(kind: RecordKind, ...states: readonly number[]): string {
    const list = this.recentOf(kind);
    if (list.length === 0 || this.chance(2)) return 'nobody-knows';
    const records = this.model.recordsOf(kind);
    const fitting = this.chance(15) ? [] : list.filter((no) => states.includes(records.get(no)?.state ?? -1));
    return this.pick(fitting.length > 0 ? fitting : list);
  }

  /** A new number, seldom one that is taken. */
  fresh(kind: RecordKind): string {
    const list = this.recentOf(kind);
    return list.length > 0 && this.chance(3) ? this.pick(list) : this.no(kind);
  }

  account(): string {
    if (this.chance(1)) return 'nobody';
    const account = this.pick(this.accounts);
    return this.chance(5) ? account.toUpperCase() : account;
  }

  /** A user with something to spend, if chance finds one soon. */
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

  /** Any amount above zero: dust, small, ordinary, or of up to 36 digits. */
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

  /** A part of what there is: often some, at times all of it, its last digit more, or a little dust. */
  partOf(all: bigint): bigint {
    const kind = this.below(100);
    if (all <= 1n || kind < 10) return BigInt(1 + this.below(20));
    if (kind < 14) return all;
    if (kind < 18) return all + 1n;
    return (all * (this.digits(18) + 1n)) / (ONE * BigInt(2 + this.below(12))) + 1n;
  }

  /** Cut to a number of decimals, and never to nothing. */
  cut(amount: bigint, decimals: number): bigint {
    const step = 10n ** BigInt(18 - decimals);
    return amount < step ? step : amount - (amount % step);
  }

  /** The decimals of a market's prices or amounts, and seldom one more. */
  fit(amount: bigint, decimals: number): bigint {
    return this.cut(amount, decimals < 18 && this.chance(3) ? decimals + 1 : decimals);
  }

  /** Mostly as it stands, at times with its trailing zeros. */
  text(amount: bigint): string {
    const text = decimal(amount);
    return text.includes('.') && text.length < 16 && this.chance(10) ? `${text}00` : text;
  }

  freeOf(account: string, market: string, platform: number): bigint {
    return this.model.state.balances.get(active(account.toLowerCase(), market, platform).name) ?? 0n;
  }

  /** A small share of an amount, often nothing. */
  feeOf(amount: bigint): bigint {
    if (this.chance(30)) return 0n;
    if (this.chance(4)) return amount + 1n;
    return this.chance(20) ? BigInt(this.below(5)) : (amount * this.digits(15)) / ONE;
  }

  price(decimals: number): bigint {
    const value = this.chance(10) ? BigInt(1 + this.below(1000)) : this.digits(18 + this.below(4)) + 1n;
    return this.fit(value, decimals);
  }

  /** A price near another: a better one for the side, the same, or seldom a worse one. */
  priceNear(price: bigint, side: number, decimals: number): bigint {
    if (this.chance(30)) return price;
    const by = (price * this.digits(17)) / ONE + 1n;
    const isBetter = !this.chance(8);
    return this.cut((side === 1) === isBetter && price > by ? price - by : price + by, decimals);
  }

  /**
   * Makes a batch; the model judges each event as it is made.
   *
   * @param ticks whether ticks may be among them
   * @param stakes whether the free money of binary contracts may be used
   */
  batch(size: number, kinds: readonly Kind[], { ticks, stakes }: { ticks: boolean; stakes: boolean }): Judged[] {
    const total = kinds.reduce((sum, [weight]) => sum + weight, 0);
    const judged: Judged[] = [];
    let isSettling = ticks;
    while (judged.length < size) {
      const event = this.sent.length > 0 && this.chance(3) ? this.again() : this.next(kinds, total);
      if (!event || (event.type === 'tick' && !ticks)) continue;
      if (usesStakes(event) && (!stakes || (isSettling && !this.isCovered(event)))) continue;
      // One that is dated back may be settled at once.
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

  /** An event that was sent already, as it was or with something else under its id. */
  private again(): ModelEvent {
    const old = this.pick(this.sent.slice(-200));
    if (!this.model.state.seen.has(old.eventId) || this.chance(50)) return old;
    const data = { account: this.pick(this.accounts), market: 'USDT', platform: 1, active: '1' };
    return { ...old, type: 'balance.imported', data };
  }

  /** Whether there is enough whatever is settled meanwhile. */
  private isCovered({ data }: ModelEvent): boolean {
    return units(String(data['amount'])) <= this.freeOf(String(data['account']), 'USDT', 4);
  }
}

const usesStakes = ({ type, data }: ModelEvent): boolean =>
  type === 'second.opened' || (type === 'transfer.made' && data['platform'] === 4 && data['market'] === 'USDT');
