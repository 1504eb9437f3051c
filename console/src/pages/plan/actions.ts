import { market } from '@hengtai/contract/market';
import { marketTypes } from '@hengtai/contract/market-type';
import { plan } from '@hengtai/contract/plan';
import { notify } from '@hengtai/contract/notify';
import type { PlanView } from './plan-row.ts';

/** Reads that a change of a plan makes untrue. */
export const STALE = [plan.list, market.list, notify.counts];

export const nameOf = (row: Pick<PlanView, 'marketName' | 'marketType'>): string =>
  `${row.marketName} ${marketTypes[row.marketType]}`;

/** Whole minutes as typed; undefined where they are none between 1 and 1440. */
export function minutesOf(text: string): number | undefined {
  const minutes = Number(text);
  return /^\d{1,4}$/.test(text) && minutes >= 1 && minutes <= 1_440 ? minutes : undefined;
}
