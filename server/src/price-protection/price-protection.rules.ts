import { Decimal } from '@hengtai/contract/decimal';

const MINUTE_MS = 60_000;

/** A band that is watched, as far as judging a price by it goes. */
export interface Band {
  minPrice: string;
  maxPrice: string;
  planMinute: number;
  /** The price was inside since the plan triggered last. */
  inside: boolean;
  halted: boolean;
}

export interface Verdict {
  inside: boolean;
  /** The tick that halts the market, and until when. */
  trigger?: { price: string; at: number; resumeAt: number };
}

/**
 * Judges ticks, in their order, by a band. The first price outside halts; while halted, and until the price was inside once
 * more, none does. A tick so old that its halt would be over by now tells nothing: an exchange that reports its past halts nobody.
 *
 * @param now unix milliseconds, as the ticks' at
 */
export function judge(band: Band, ticks: readonly { price: string; at: number }[], now: number): Verdict {
  const verdict: Verdict = { inside: band.inside };
  for (const { price, at } of ticks) {
    const halts = Math.min(at, now);
    const resumeAt = halts + band.planMinute * MINUTE_MS;
    if (resumeAt <= now) continue;
    const outside = new Decimal(price).lt(band.minPrice) || new Decimal(price).gt(band.maxPrice);
    if (outside && verdict.inside && !band.halted && !verdict.trigger) {
      verdict.trigger = { price, at: halts, resumeAt };
      verdict.inside = false;
    } else if (!outside) {
      verdict.inside = true;
    }
  }
  return verdict;
}
