import { createHash } from 'node:crypto';
import { BINARY_CONTRACT, binaryContract as calls, binaryContractRules } from '@hengtai/contract/binary-contract';
import type {
  BinaryContractDetail,
  BinaryContractEvidence,
  BinaryContractId,
} from '@hengtai/contract/binary-contract.schema';
import { refusals } from '@hengtai/contract/refusals';
import { needsChecker } from '../approval/policy.store.ts';
import type { Ctx } from '../context.ts';
import { defineAction } from '../http/action.ts';
import { previewLegs } from '../ledger/preview.ts';
import { refuse } from '../refuse.ts';
import { findOpenApproval } from '../withdraw/withdraw-detail.store.ts';
import { linesOf, ticksBetween, ticksOf, commandsAbout } from './binary-contract-detail.store.ts';
import { type Outcome, outcomeOf, refundLegs } from './binary-contract.rules.ts';
import { rowOf } from './binary-contract.service.ts';
import { type BinaryContractRecord, findBinaryContract } from './binary-contract.store.ts';

/** One contract with what its outcome follows from. */
export async function binaryContractDetail(ctx: Ctx, { id }: BinaryContractId): Promise<BinaryContractDetail> {
  const found = await mustFind(ctx, id);
  const ticks = await ticksOf(ctx, found);
  const runs = found.state === BINARY_CONTRACT.open;
  const closing = runs && ticks.close !== null;
  const question = {
    policy: 'second.void',
    operatorId: ctx.operator.id,
    userId: found.userId,
    amount: found.amount,
    now: ctx.now,
  };
  return {
    row: rowOf(found),
    terms: termsOf(found),
    ticks,
    entries: await linesOf(ctx, id),
    preview: runs && !closing ? await previewLegs(ctx.db, refundLegs(found)) : [],
    commands: await commandsAbout(ctx, id),
    closing,
    approval: { needed: await needsChecker(ctx.db, question), ...(await findOpenApproval(ctx, id, 'second')) },
    now: ctx.now,
  };
}

/** The same as a self-contained file: a reader can compute the outcome from it and detect changes by its hash. */
export const binaryContractEvidence = defineAction<BinaryContractId, BinaryContractEvidence, BinaryContractRecord>({
  name: 'second.evidence',
  call: calls.evidence,
  load: (ctx, { id }) => findBinaryContract(ctx, id),
  execute: async (ctx, { id }, found) => {
    const ends = await ticksOf(ctx, found);
    const { ticks, left } = await ticksBetween(ctx, found, ends);
    const recomputed = outcomeOf(found, ends.open ?? undefined, ends.close ?? undefined);
    const body: Omit<BinaryContractEvidence, 'sha256'> = {
      product: '衡台 HengTai',
      madeAt: ctx.now,
      madeBy: ctx.operator.account,
      contract: rowOf(found),
      terms: termsOf(found),
      ticks,
      ticksLeftOut: left,
      entries: await linesOf(ctx, id),
      recomputed: { ...recomputed, matches: agrees(found, recomputed) },
    };
    const sha256 = createHash('sha256').update(JSON.stringify(body)).digest('hex');
    const { userId, account, agentId } = found;
    return { data: { ...body, sha256 }, subject: { type: 'second', id, userId, account, agentId }, after: { sha256 } };
  },
});

async function mustFind(ctx: Ctx, id: number): Promise<BinaryContractRecord> {
  const found = await findBinaryContract(ctx, id);
  if (!found) throw refuse(refusals.notFound);
  return found;
}

/** What an operator voided has no outcome, whatever the ticks would have said later. */
const agrees = (row: BinaryContractRecord, { state, type, profit }: Outcome): boolean =>
  row.by !== null
    ? row.type === 0 && row.profit === null
    : [row.state, row.type, row.profit].join() === [state, type, profit].join();

const termsOf = ({
  rule,
  tolerance,
  configId,
  configVersion,
  recordedAt,
}: BinaryContractRecord): BinaryContractDetail['terms'] => ({
  rule,
  ruleText: binaryContractRules[rule] ?? '',
  toleranceMs: tolerance,
  configId,
  configVersion,
  recordedAt,
});
