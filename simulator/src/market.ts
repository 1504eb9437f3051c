import { SETTLEMENT } from '@hengtai/contract/money';
import { D, written } from './amount.ts';
import { count, draw, emit, type World } from './world.ts';

export interface Network {
  network: string;
  recharge: boolean;
  withdraw: boolean;
  fee: string | undefined;
}

/** A market as the back office has configured it. */
export interface Market {
  name: string;
  price: string | undefined;
  recharge: boolean;
  withdraw: boolean;
  withdrawFee: string;
  withdrawMin: string;
  withdrawMax: string | undefined;
  networks: Network[];
}

/** The level a price swings around, how much one tick moves it, and the decimals of prices and of amounts. */
const PLAY: Readonly<Record<string, { level: number; swing: number; price: number; amount: number }>> = {
  BTC: { level: 96_400, swing: 0.0004, price: 2, amount: 6 },
  ETH: { level: 3_320, swing: 0.0006, price: 2, amount: 5 },
  SOL: { level: 204, swing: 0.0009, price: 2, amount: 3 },
  XRP: { level: 2.36, swing: 0.0009, price: 4, amount: 2 },
  HTT: { level: 0.84, swing: 0.0015, price: 4, amount: 2 },
};
/** How strongly a price is drawn back to its level: it stays realistic for days. */
const PULL = 0.0008;

export const amountDecimals = (market: string): number => PLAY[market]?.amount ?? 2;

/** What one coin is worth in the settlement asset. */
export const priceOf = (world: World, market: string): string =>
  market === SETTLEMENT ? '1' : (world.state.prices[market] ?? String(PLAY[market]?.level ?? 1));

/** One tick of every traded market. */
export function tickMarkets(world: World): void {
  for (const { name, price } of world.markets) {
    const play = PLAY[name];
    if (!play) continue;
    const number = count(world, `tick.${name}`);
    const dice = draw(world, 'tick', name, number);
    const last = Number(world.state.prices[name] ?? price ?? play.level);
    const moved = last * Math.exp(play.swing * dice.normal() + PULL * Math.log(play.level / last));
    const next = written(moved, play.price);
    world.state.prices[name] = next;
    const volume = written(dice.logNormal(4_000, 1.2) / moved, play.amount);
    emit(world, 'tick', `${name}:${number}`, { market: name, price: next, volume, at: world.now });
  }
}

/** Reads the rows of the markets call; what is missing or odd there is left out rather than guessed. */
export function readMarkets(data: unknown): Market[] {
  const rows = Array.isArray(data) ? data : list(field(data, 'list'));
  return rows.flatMap((row: unknown) => {
    const name = text(field(row, 'marketName'));
    if (name === undefined) return [];
    const networks = list(field(row, 'networks')).flatMap((one) => {
      const network = text(field(one, 'network'));
      if (network === undefined) return [];
      return [{ network, recharge: on(one, 'recharge'), withdraw: on(one, 'withdraw'), fee: text(field(one, 'fee')) }];
    });
    const max = text(field(row, 'withdrawMax'));
    return [
      {
        name,
        price: text(field(row, 'price')),
        recharge: on(row, 'rechargeState'),
        withdraw: on(row, 'withdrawState'),
        withdrawFee: text(field(row, 'withdrawFee')) ?? '0',
        withdrawMin: text(field(row, 'withdrawMin')) ?? '0',
        withdrawMax: max === undefined || new D(max).isZero() ? undefined : max,
        networks,
      },
    ];
  });
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
/** A switch that is not named counts as on. */
const on = (row: unknown, name: string): boolean => {
  const value = field(row, name);
  return value === undefined || value === 1 || value === true;
};
