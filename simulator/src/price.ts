import { D, formatAmount } from './amount.ts';
import type { Random } from './random.ts';
import { hourWeight } from './rhythm.ts';

/**
 * Price model of a coin: price at the beginning (`from`) and target at the end (`level`), volatility per hour,
 * decimals of prices and amounts, and volume.
 */
export interface PriceModel {
  from: number;
  level: number;
  hour: number;
  price: number;
  amount: number;
  /** Volume in USDT per hour. */
  volume: number;
}

export const PRICE_MODELS: Readonly<Record<string, PriceModel>> = {
  BTC: { from: 84_600, level: 96_400, hour: 0.0045, price: 2, amount: 6, volume: 9_400_000 },
  ETH: { from: 2_870, level: 3_320, hour: 0.006, price: 2, amount: 5, volume: 5_100_000 },
  SOL: { from: 161, level: 204, hour: 0.0085, price: 2, amount: 3, volume: 1_900_000 },
  XRP: { from: 1.94, level: 2.36, hour: 0.008, price: 4, amount: 2, volume: 1_200_000 },
  HTT: { from: 0.52, level: 0.84, hour: 0.013, price: 4, amount: 2, volume: 160_000 },
};

/** Mean reversion per hour: the price deviates by some percent and stays realistic for months. */
const PULL = 0.004;
/** Correlation of each coin with the common move. */
const COMMON = 0.7;

/** The common random move of one step; fat-tailed like real markets. */
export const sampleCommonMove = (dice: Random): number => sampleFatTailed(dice);

/**
 * The next price as a decimal string.
 *
 * @param target price that the model reverts to
 * @param hours length of the step in hours
 */
export function sampleNextPrice(
  model: PriceModel,
  last: number,
  target: number,
  hours: number,
  common: number,
  dice: Random,
): string {
  const own = sampleFatTailed(dice) * Math.sqrt(1 - COMMON * COMMON);
  const move = model.hour * Math.sqrt(hours) * (COMMON * common + own) + PULL * hours * Math.log(target / last);
  // To the nearest: rounding down would let a price of few decimals fall to zero within hours of small steps.
  return new D(last * Math.exp(move)).toDecimalPlaces(model.price).toFixed();
}

/** Volume in coins since the last tick, as a decimal string. */
export function sampleVolume(model: PriceModel, price: string, hours: number, at: number, dice: Random): string {
  const usdt = model.volume * hours * hourWeight(at) * dice.logNormal(1, 0.5);
  return formatAmount(new D(usdt).div(price), model.amount);
}

function sampleFatTailed(dice: Random): number {
  return dice.normal() * (dice.chance(0.04) ? 2.6 : 0.9);
}
