import { refusals } from '@hengtai/contract/refusals';
import { report as calls } from '@hengtai/contract/report';
import type { LiabilityMake, LiabilityProof, LiabilityRow, ProofAsk } from '@hengtai/contract/report.schema';
import type { Ctx } from '../context.ts';
import { defineAction } from '../http/action.ts';
import { refuse } from '../refuse.ts';
import { findProof, insertLiability } from './liability.store.ts';

/** Orders a proof of what is owed to all users; a job makes it. The top-level admin's only: it is about everybody. */
export const liabilityMake = defineAction<LiabilityMake, LiabilityRow>({
  name: 'report.make',
  call: calls.make,
  authorize: ({ operator }) => {
    if (!operator.top) throw refuse(refusals.forbidden);
  },
  execute: async (ctx) => {
    const row = await insertLiability(ctx);
    if (!row) throw refuse(refusals.liabilityBusy);
    return { data: row, subject: { type: 'report', id: row.id }, after: { state: row.state }, msg: '已开始生成' };
  },
});

/** The part of a proof that shows one user that it was counted. */
export async function liabilityProof(ctx: Ctx, { id, userId }: ProofAsk): Promise<LiabilityProof> {
  const found = await findProof(ctx.db, ctx.scope, id, userId);
  if (!found) throw refuse(refusals.notFound);
  return found;
}
