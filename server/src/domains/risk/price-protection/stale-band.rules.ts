import type { PriceProtectionRow } from '@hengtai/contract/risk/price-protection/schema';
import { type StaleSave, refuseStaleSave } from '../../../actions/stale-save.ts';
import type { Refused } from '../../../app/refuse.ts';

/** Tells saves of one band from those of other market types, from halts and from grants, which have the same target. */
export const isBandOf =
  ({ marketType }: Pick<PriceProtectionRow, 'marketType'>): StaleSave['isSave'] =>
  (after) =>
    after['marketType'] === marketType && 'planPrice' in after;

/** @param read the version that the caller read */
export const refuseStaleBand = (row: PriceProtectionRow, read: number): Refused =>
  refuseStaleSave({
    target: { type: 'plan', id: row.id },
    versions: row.version - read,
    isSave: isBandOf(row),
    current: { state: row.planState, by: row.updatedBy, at: row.updatedAt },
  });

/** @param versions how many saves the version that the caller read is behind */
export const refuseStaleGrants = (marketId: number, versions = 1): Refused =>
  refuseStaleSave({
    target: { type: 'plan', id: marketId },
    versions,
    isSave: (after) => 'agents' in after,
    current: { at: null },
    words: { names: { agents: '授权代理' } },
  });
