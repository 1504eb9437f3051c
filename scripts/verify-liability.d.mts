import type { LiabilityProof } from '@hengtai/contract/report.schema';

/** What a proof that holds proves; throws with the reason where it does not hold. */
export function verify(
  proof: unknown,
  root: string,
): Pick<LiabilityProof, 'account' | 'at' | 'users' | 'balances' | 'totals'>;
