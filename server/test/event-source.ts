import type { ModelEvent, RecordKind } from './event-model-state.ts';
import { type EventModel, type Judgement, ONE, activeAccount } from './event-model.ts';
import { formatUnits, parseUnits } from './ledger-model.ts';

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

export interface EventDraft {
  type: string;
  data: Record<string, unknown>;
}
export type EventKind = readonly [
  weight: number,
  make: (source: EventSource, model: EventModel) => EventDraft | undefined,
];
export interface JudgedEvent {
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
  private sequence = 0;

  constructor(model: EventModel, below: (n: number) => number, accounts: readonly string[], clock: number) {
    this.model = model;
    this.below = below;
    this.accounts = accounts;
    this.clock = clock;
  }

  /** Creates a unique record number and remembers it under its kind. */
  newNo(kind: RecordKind | 'other'): string {
    const no = `${kind}-${(this.sequence += 1)}`;
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
    const item = from[this.below(from.length)];
    if (item === undefined) throw new Error('There is nothing to pick from.');
    return item;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  /** Number of a known record, mostly in one of the given states if one exists; rarely an unknown number. */
  pickKnownNo(kind: RecordKind, ...states: readonly number[]): string {
    const list = this.recentOf(kind);
    if (list.length === 0 || this.chance(2)) return 'nobody-knows';
    const records = this.model.recordsOf(kind);
    const matching = this.chance(15) ? [] : list.filter((no) => states.includes(records.get(no)?.state ?? -1));
    return this.pick(matching.length > 0 ? matching : list);
  }

  /** A new number, rarely one that is already in use. */
  pickNewNo(kind: RecordKind): string {
    const list = this.recentOf(kind);
    return list.length > 0 && this.chance(3) ? this.pick(list) : this.newNo(kind);
  }

  pickAccount(): string {
    if (this.chance(1)) return 'nobody';
    const account = this.pick(this.accounts);
    return this.chance(5) ? account.toUpperCase() : account;
  }

  /** A user with a positive balance if one is found within a few tries. */
  pickPayer(market: string, platform: number): string {
    for (let tries = 0; tries < 4; tries += 1) {
      const account = this.pickAccount();
      if (this.freeOf(account, market, platform) > 0n) return account;
    }
    return this.pickAccount();
  }

  drawDigits(count: number): bigint {
    let value = 0n;
    for (let n = 0; n < count; n += 1) value = value * 10n + BigInt(this.below(10));
    return value;
  }

  /** A random amount above zero: tiny, small, ordinary, or with up to 36 digits. */
  drawAmount(largest = MODEST): bigint {
    const kind = this.below(100);
    const value =
      kind < 20
        ? BigInt(1 + this.below(30))
        : kind < 50
          ? this.drawDigits(18 + this.below(3))
          : kind < 94
            ? this.drawDigits(18 + this.below(7))
            : this.drawDigits(28 + this.below(9));
    return value > largest ? (value % largest) + 1n : value + 1n;
  }

  /** Part of an amount: often a fraction, sometimes all of it, slightly more, or a tiny part. */
  drawPart(all: bigint): bigint {
    const kind = this.below(100);
    if (all <= 1n || kind < 10) return BigInt(1 + this.below(20));
    if (kind < 14) return all;
    if (kind < 18) return all + 1n;
    return (all * (this.drawDigits(18) + 1n)) / (ONE * BigInt(2 + this.below(12))) + 1n;
  }

  /** Truncates to a number of decimals; never to zero. */
  truncate(amount: bigint, decimals: number): bigint {
    const step = 10n ** BigInt(18 - decimals);
    return amount < step ? step : amount - (amount % step);
  }

  /** Truncates to the decimals of a market, rarely with one decimal too many. */
  truncateToMarket(amount: bigint, decimals: number): bigint {
    return this.truncate(amount, decimals < 18 && this.chance(3) ? decimals + 1 : decimals);
  }

  /** Canonical text, sometimes with extra trailing zeros. */
  format(amount: bigint): string {
    const decimalText = formatUnits(amount);
    return decimalText.includes('.') && decimalText.length < 16 && this.chance(10) ? `${decimalText}00` : decimalText;
  }

  freeOf(account: string, market: string, platform: number): bigint {
    return this.model.state.balances.get(activeAccount(account.toLowerCase(), market, platform).name) ?? 0n;
  }

  /** A small share of an amount, often zero. */
  drawFee(amount: bigint): bigint {
    if (this.chance(30)) return 0n;
    if (this.chance(4)) return amount + 1n;
    return this.chance(20) ? BigInt(this.below(5)) : (amount * this.drawDigits(15)) / ONE;
  }

  drawPrice(decimals: number): bigint {
    const value = this.chance(10) ? BigInt(1 + this.below(1000)) : this.drawDigits(18 + this.below(4)) + 1n;
    return this.truncateToMarket(value, decimals);
  }

  /** A price near another: usually better for the side, sometimes equal, rarely worse. */
  drawPriceNear(price: bigint, side: number, decimals: number): bigint {
    if (this.chance(30)) return price;
    const by = (price * this.drawDigits(17)) / ONE + 1n;
    const isBetter = !this.chance(8);
    return this.truncate((side === 1) === isBetter && price > by ? price - by : price + by, decimals);
  }

  /**
   * Generates a batch. The model judges each event when it is generated.
   *
   * @param ticks whether the batch may contain ticks
   * @param stakes whether events may use the free balance of binary-contract accounts
   */
  generateBatch(
    size: number,
    kinds: readonly EventKind[],
    { ticks, stakes }: { ticks: boolean; stakes: boolean },
  ): JudgedEvent[] {
    const total = kinds.reduce((sum, [weight]) => sum + weight, 0);
    const judged: JudgedEvent[] = [];
    let isSettling = ticks;
    while (judged.length < size) {
      const event = this.sent.length > 0 && this.chance(3) ? this.repeatEvent() : this.generateEvent(kinds, total);
      if (!event || (event.type === 'tick' && !ticks)) continue;
      if (usesStakes(event) && (!stakes || (isSettling && !this.isCovered(event)))) continue;
      // The server may settle a backdated contract at once.
      if (event.type === 'second.opened' && event.at < this.clock) isSettling = true;
      judged.push({ event, judgement: this.model.judge(event) });
      if (this.sent.push(event) > 2_000) this.sent.splice(0, 1_000);
    }
    return judged;
  }

  private generateEvent(kinds: readonly EventKind[], total: number): ModelEvent | undefined {
    let remaining = this.below(total);
    const draft = kinds.find(([weight]) => (remaining -= weight) < 0)?.[1](this, this.model);
    if (!draft) return undefined;
    this.clock += this.chance(1) ? 40_000 : 1 + this.below(1_500);
    const { type, data } = draft;
    const at = this.clock - (type === 'second.opened' && this.chance(4) ? 400_000 : 0);
    const eventId = `e-${(this.sequence += 1)}`;
    return { eventId, type, at, data: type === 'tick' ? { ...data, at: this.chance(2) ? at - 5_000 : at } : data };
  }

  /** Repeats a sent event, either unchanged or with other content under the same id. */
  private repeatEvent(): ModelEvent {
    const earlier = this.pick(this.sent.slice(-200));
    if (!this.model.state.appliedIds.has(earlier.eventId) || this.chance(50)) return earlier;
    const data = { account: this.pick(this.accounts), market: 'USDT', platform: 1, active: '1' };
    return { ...earlier, type: 'balance.imported', data };
  }

  /** Whether the balance suffices without the payouts of contracts that settle during the batch. */
  private isCovered({ data }: ModelEvent): boolean {
    return parseUnits(String(data['amount'])) <= this.freeOf(String(data['account']), 'USDT', 4);
  }
}

const usesStakes = ({ type, data }: ModelEvent): boolean =>
  type === 'second.opened' || (type === 'transfer.made' && data['platform'] === 4 && data['market'] === 'USDT');
