import { refusals } from '@hengtai/contract/wire/refusals';
import { report as calls } from '@hengtai/contract/desk/report/calls';
import type {
  LiabilityMakeInput,
  LiabilityProof,
  LiabilityRow,
  LiabilityProofInput,
} from '@hengtai/contract/desk/report/schema';
import type { Ctx } from '../../../app/context.ts';
import { defineAction } from '../../../actions/action.ts';
import { refuse, requireFound } from '../../../app/refuse.ts';
import { findProof, insertLiability } from './liability.store.ts';

/** Requests a proof of liabilities, which a job makes. Only the admin may do so, because it covers all users. */
export const liabilityMake = defineAction<LiabilityMakeInput, LiabilityRow>({
  call: calls.make,
  authorize: ({ operator }) => {
    if (!operator.top) throw refuse(refusals.forbidden);
  },
  execute: async (ctx, { files = [] }) => {
    const row = await insertLiability(ctx, files);
    if (!row) throw refuse(refusals.liabilityBusy);
    const after = { state: row.state, ...(files.length > 0 && { files }) };
    return { data: row, subject: { type: 'report', id: row.id }, after, msg: '已开始生成' };
  },
});

/**
 * Inclusion proof of one user.
 *
 * @throws Refused 404 if the proof or the user is unknown or outside the scope
 */
export async function liabilityProof(ctx: Ctx, { id, userId }: LiabilityProofInput): Promise<LiabilityProof> {
  return requireFound(await findProof(ctx.db, ctx.scope, id, userId));
}
