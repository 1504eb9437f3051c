import type { LiabilityProof } from '@hengtai/contract/desk/report/schema';

/** Verifies a proof and returns the proven balances. Throws with the reason if it is invalid. */
export function verify(
  proof: unknown,
  root: string,
): Pick<LiabilityProof, 'account' | 'at' | 'users' | 'balances' | 'totals'>;
