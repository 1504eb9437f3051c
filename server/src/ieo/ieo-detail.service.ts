import { ieoCan } from '@hengtai/contract/ieo';
import type { IeoDetail, IeoId } from '@hengtai/contract/ieo.schema';
import { refusals } from '@hengtai/contract/refusals';
import { needsChecker } from '../approval/policy.store.ts';
import type { Ctx } from '../context.ts';
import { previewLegs } from '../ledger/preview.ts';
import { refuse } from '../refuse.ts';
import { findCustomer, findOpenApproval } from '../withdraw/withdraw-detail.store.ts';
import { findBalances, findTerms, findTotals } from './ieo-detail.store.ts';
import { passedLegs, refundLegs } from './ieo.rules.ts';
import { rowOf } from './ieo.service.ts';
import { findIeo, otherIeos } from './ieo.store.ts';

const RECENT = 10;

/** What one needs to decide about one subscription, and the ledger rows that either decision leads to. */
export async function ieoDetail(ctx: Ctx, { id }: IeoId): Promise<IeoDetail> {
  const found = await findIeo(ctx, id);
  const user = found && (await findCustomer(ctx, found.userId));
  if (!found || !user) throw refuse(refusals.notFound);
  const waits = ieoCan.pass.some((state) => state === found.state);
  const question = {
    policy: 'ieo.pass',
    operatorId: ctx.operator.id,
    userId: found.userId,
    amount: found.pay,
    now: ctx.now,
  };
  return {
    row: rowOf(found),
    user,
    ...(await findTerms(ctx, found)),
    balances: await findBalances(ctx, found),
    totals: await findTotals(ctx, found),
    others: await otherIeos(ctx, found, RECENT),
    preview: {
      pass: waits ? await previewLegs(ctx.db, passedLegs(found)) : [],
      reject: waits ? await previewLegs(ctx.db, refundLegs(found)) : [],
    },
    approval: { needed: await needsChecker(ctx.db, question), ...(await findOpenApproval(ctx, id, 'ieo')) },
  };
}
