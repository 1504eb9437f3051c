import type { ProofLeaves, ProofLeavesInput, Solvency } from '@hengtai/contract/desk/report/schema';
import type { IdInput } from '@hengtai/contract/wire/schema';
import type { Ctx } from '../../../app/context.ts';
import { requireFound } from '../../../app/refuse.ts';
import { requireHouseReader } from '../../funds/house/house.rules.ts';
import { ownerOf } from './liability-tree.ts';
import { fetchLeaves, findSolvency } from './solvency.store.ts';

/** Leaves of one answer. */
const PAGE = 5_000;

/** @throws Refused 403 for others than readers of the house, 404 for a proof without statements */
export async function readSolvency(ctx: Ctx, { id }: IdInput): Promise<Solvency> {
  requireHouseReader(ctx);
  return requireFound(await findSolvency(ctx.db, id));
}

/**
 * The leaves of a proof, each with the hash that stands for its user. An unknown proof has none.
 *
 * @throws Refused 403 for others than readers of the house
 */
export async function readLeaves(ctx: Ctx, { id, after = 0 }: ProofLeavesInput): Promise<ProofLeaves> {
  requireHouseReader(ctx);
  const leaves = await fetchLeaves(ctx.db, id, after, PAGE);
  return {
    leaves: leaves.map(({ account, salt, index, amounts }) => ({ index, owner: ownerOf(salt, account), amounts })),
    next: leaves.length === PAGE ? (leaves.at(-1)?.userId ?? null) : null,
  };
}
