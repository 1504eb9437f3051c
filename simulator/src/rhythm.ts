import type { Random } from './random.ts';

export const HOUR = 3_600_000;
export const DAY = 86_400_000;
/** The customers' day: China has one time zone, eight hours ahead, and no summer time. */
const AHEAD = 8 * HOUR;

/** The beginning of the customers' day that holds this moment. */
export const dayOf = (at: number): number => Math.floor((at + AHEAD) / DAY) * DAY - AHEAD;

/** How busy each hour is: quiet before dawn, a peak after dinner. */
const HOURS = [
  0.55, 0.38, 0.25, 0.18, 0.15, 0.18, 0.3, 0.5, 0.75, 0.95, 1.05, 1, 0.9, 0.95, 1.05, 1.1, 1.1, 1.15, 1.25, 1.5, 1.75,
  1.8, 1.5, 0.95,
];
/** From Sunday on: fewer people trade at the weekend. */
const WEEKDAYS = [0.7, 1.04, 1.08, 1.05, 1.02, 0.98, 0.78];
/** From the first day to the last the exchange grows to so many times its size. */
const GROWTH = 6;

export const hourWeight = (at: number): number => HOURS[Math.floor(((at + AHEAD) % DAY) / HOUR)] ?? 1;

const weekday = (day: number): number => new Date(day + AHEAD).getUTCDay();

/** How much happens on each day of the past and on the day of the start; they grow, dip at weekends and burst at times. */
export function dayWeights(dice: Random, first: number, days: number): number[] {
  return Array.from({ length: days + 1 }, (_, index) => {
    const burst = dice.chance(0.045) ? dice.span(1.5, 2.3) : 1;
    const growth = GROWTH ** (index / Math.max(days, 1));
    return growth * (WEEKDAYS[weekday(first + index * DAY)] ?? 1) * burst * dice.logNormal(1, 0.1);
  });
}

const HOUR_LIST = HOURS.map((weight, hour) => [hour, weight] as const);

/** A moment of the day, as its hours are busy; milliseconds since midnight. */
export const momentOf = (dice: Random): number => Math.floor((dice.weighted(HOUR_LIST) + dice.next()) * HOUR);

/** `total` of something spread over weights, in whole numbers that add up; what is behind the last day goes on at its pace. */
export function spread(total: number, weights: readonly number[], days: number): number[] {
  const sum = weights.slice(0, days).reduce((a, b) => a + b, 0);
  let done = 0;
  let exact = 0;
  return weights.map((weight) => {
    exact += (total * weight) / sum;
    const now = Math.round(exact) - done;
    done += now;
    return now;
  });
}
