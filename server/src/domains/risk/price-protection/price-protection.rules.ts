import { Decimal } from '@hengtai/contract/values/decimal';

const MINUTE_MS = 60_000;

/** A watched price band. */
export interface Band {
  minPrice: string;
  maxPrice: string;
  planMinute: number;
  /** Whether the price was inside the band since the last halt. */
  inside: boolean;
  halted: boolean;
}

export interface BandVerdict {
  inside: boolean;
  /** The tick that halts the market, and the end of the halt; unix milliseconds. */
  trigger?: { price: string; at: number; resumeAt: number };
}

/**
 * Applies ticks in order to a band. The first price outside halts; further ones do not until the price was inside again. Ticks
 * whose halt would be over already are ignored, so that imported history halts nothing.
 *
 * @param now unix milliseconds, as the ticks' at
 */
export function evaluateBand(band: Band, ticks: readonly { price: string; at: number }[], now: number): BandVerdict {
  const verdict: BandVerdict = { inside: band.inside };
  for (const { price, at } of ticks) {
    const haltAt = Math.min(at, now);
    const resumeAt = haltAt + band.planMinute * MINUTE_MS;
    if (resumeAt <= now) continue;
    const isOutside = new Decimal(price).lt(band.minPrice) || new Decimal(price).gt(band.maxPrice);
    if (isOutside && verdict.inside && !band.halted && !verdict.trigger) {
      verdict.trigger = { price, at: haltAt, resumeAt };
      verdict.inside = false;
    } else if (!isOutside) {
      verdict.inside = true;
    }
  }
  return verdict;
}
