import type { Random } from './random.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
/** UTC+8: China has one time zone and no daylight saving time. */
const AHEAD = 8 * HOUR_MS;

/** Midnight in China of the day that contains this time (Unix ms). */
export const startOfDay = (at: number): number => Math.floor((at + AHEAD) / DAY_MS) * DAY_MS - AHEAD;

/** Activity per hour of the day: low before dawn, highest after dinner. */
const HOURS = [
  0.55, 0.38, 0.25, 0.18, 0.15, 0.18, 0.3, 0.5, 0.75, 0.95, 1.05, 1, 0.9, 0.95, 1.05, 1.1, 1.1, 1.15, 1.25, 1.5, 1.75,
  1.8, 1.5, 0.95,
];
/** Activity per weekday from Sunday: lower at weekends. */
const WEEKDAYS = [0.7, 1.04, 1.08, 1.05, 1.02, 0.98, 0.78];
/** Factor by which activity grows from the first to the last day. */
const GROWTH = 6;

export const hourWeight = (at: number): number => HOURS[Math.floor(((at + AHEAD) % DAY_MS) / HOUR_MS)] ?? 1;

const weekday = (day: number): number => new Date(day + AHEAD).getUTCDay();

/** Activity per day of the past and of the start day: growth, weekends and random bursts. */
export function sampleDayWeights(dice: Random, first: number, days: number): number[] {
  return Array.from({ length: days + 1 }, (_, index) => {
    const burst = dice.chance(0.045) ? dice.span(1.5, 2.3) : 1;
    const growth = GROWTH ** (index / Math.max(days, 1));
    return growth * (WEEKDAYS[weekday(first + index * DAY_MS)] ?? 1) * burst * dice.logNormal(1, 0.1);
  });
}

const HOUR_LIST = HOURS.map((weight, hour) => [hour, weight] as const);

/** A random time of day weighted by hour, in ms since midnight. */
export const sampleTimeOfDay = (dice: Random): number => Math.floor((dice.weighted(HOUR_LIST) + dice.next()) * HOUR_MS);

/** Splits `total` over the first `days` weights into integers that add up; later weights continue at the same rate. */
export function distribute(total: number, weights: readonly number[], days: number): number[] {
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
