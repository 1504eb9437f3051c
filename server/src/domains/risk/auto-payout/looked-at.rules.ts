import type { AutoCoin } from '@hengtai/contract/risk/auto-payout/schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import { refuse } from '../../../app/refuse.ts';

/** The ids of the causes that an operator has looked at before it starts a coin. */
export interface LookedAt {
  causes?: number[];
}

/** What the operator has looked at; without duplicates, in the order of the causes. */
export const lookedAt = ({ causes = [] }: LookedAt): number[] => causes.toSorted((a, b) => a - b);

/**
 * Refuses if a cause is open that the operator has not looked at: on a platform that would start, or at all if none was named.
 * Other platforms stay stopped.
 *
 * @throws Refused 409
 */
export function requireLookedAt(coin: AutoCoin | null, input: LookedAt): void {
  const named = new Set(lookedAt(input));
  const open = coin?.causes ?? [];
  const starting = new Set(open.filter(({ id }) => named.has(id)).map(({ platform }) => platform.id));
  const isNew = open.some(({ id, platform }) => !named.has(id) && (named.size === 0 || starting.has(platform.id)));
  const isGone = [...named].some((id) => open.every((cause) => cause.id !== id));
  if (isNew || isGone) throw refuse(refusals.autoCauseOpen);
}
