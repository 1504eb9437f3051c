import { type Random, createRandom } from '../../simulator/src/random.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** What ordinary customers hold. */
export type UsualCoin = 'USDT' | 'BTC' | 'ETH';
export type Coin = UsualCoin | 'XRP';
/** Prices at the beginning, in USDT. */
const FIRST_PRICES = { USDT: 1, BTC: 64_000, ETH: 3_100, XRP: 0.6 } as const;
const NETWORKS = { USDT: 'TRC20', BTC: 'Bitcoin', ETH: 'ERC20', XRP: 'XRPL' } as const;
const FEES = { USDT: 1, BTC: 0.0002, ETH: 0.002, XRP: 0.2 } as const;
/** Standard deviation of the price in two hours: about 60 % in a year. */
const VOLATILITY = 0.009;
const TICK_MS = 2 * HOUR;

/** Which attack a withdrawal belongs to. */
export interface Label {
  pattern: string;
  /**
   * Whether what came before shows the attack. The first withdrawals of some attacks differ in nothing from those of other
   * customers.
   */
  shows: boolean;
}

export interface Withdrawal {
  no: string;
  at: number;
  /** In USDT, at the time of the request. */
  value: number;
  /** Null if an ordinary customer requests it. */
  label: Label | null;
}

/** What an operator does. */
export type Task =
  | { kind: 'credit'; account: string; amount: string }
  | { kind: 'freeze'; account: string }
  | { kind: 'block'; address: string };

export type Planned =
  | { at: number; event: { type: string; data: Record<string, unknown> } }
  | { at: number; task: Task };

/** Everything that happens in one run, planned before it is played. */
export class Timeline {
  readonly planned: Planned[] = [];
  readonly withdrawals = new Map<string, Withdrawal>();
  readonly #prices: Record<Coin, number[]> = { USDT: [], BTC: [], ETH: [], XRP: [] };
  #numbers = 0;
  readonly seed: string;
  /** Unix milliseconds. What is earlier is the past, which is imported. */
  readonly start: number;
  readonly days: number;

  constructor(seed: string, start: number, days: number) {
    this.seed = seed;
    this.start = start;
    this.days = days;
    for (const coin of ['BTC', 'ETH', 'XRP'] as const) this.#addPrices(coin);
  }

  get end(): number {
    return this.start + this.days * DAY;
  }

  dice(...key: (string | number)[]): Random {
    return createRandom(this.seed, 'fraud', ...key);
  }

  number(letter: string): string {
    this.#numbers += 1;
    return `${letter}${this.#numbers}`;
  }

  event(at: number, type: string, data: Record<string, unknown>): void {
    this.planned.push({ at: Math.round(at), event: { type, data } });
  }

  task(at: number, task: Task): void {
    this.planned.push({ at: Math.round(at), task });
  }

  /** In USDT. Times outside of the run have the nearest price. */
  price(coin: Coin, at: number): number {
    const prices = this.#prices[coin];
    const index = Math.max(0, Math.min(prices.length - 1, Math.floor((at - this.start) / TICK_MS) + 1));
    return prices[index] ?? FIRST_PRICES[coin];
  }

  #addPrices(coin: 'BTC' | 'ETH' | 'XRP'): void {
    const dice = this.dice('price', coin);
    let price: number = FIRST_PRICES[coin];
    for (let at = this.start - TICK_MS; at < this.end; at += TICK_MS) {
      this.#prices[coin].push(price);
      this.event(at, 'tick', { market: coin, price: priceText(price), at: Math.round(at) });
      price = Number(priceText(price * Math.exp(VOLATILITY * dice.normal())));
    }
  }
}

/** Cents, of cheap coins hundredths of them. */
const priceText = (price: number): string => price.toFixed(price < 10 ? 4 : 2);

export const networkOf = (coin: Coin): string => NETWORKS[coin];
export const feeOf = (coin: Coin): number => FEES[coin];
/** An amount as the wire has it: cents of USDT, millionths of other coins. */
export const amountText = (coin: Coin, amount: number): string => amount.toFixed(coin === 'USDT' ? 2 : 6);
