import type { IdInput } from '@hengtai/contract/wire/schema';
import { createHash } from 'node:crypto';
import { binaryContract as calls, binaryContractRules } from '@hengtai/contract/trading/binary-contract/calls';
import { BINARY_CONTRACT } from '@hengtai/contract/trading/binary-contract/facts';
import type { BinaryContractDetail, BinaryContractEvidence } from '@hengtai/contract/trading/binary-contract/schema';
import { needsChecker, valueInUsdt } from '../../../actions/policy.store.ts';
import type { Ctx } from '../../../app/context.ts';
import { defineAction } from '../../../actions/action.ts';
import { previewLegs } from '../../../books/ledger/preview.ts';
import { requireFound } from '../../../app/refuse.ts';
import { findRecordApproval } from '../../../actions/approval.store.ts';
import { fetchEntries, fetchTicksBetween, fetchDecidingTicks, fetchCommands } from './binary-contract-detail.store.ts';
import { type Outcome, computeOutcome, refundLegs } from './binary-contract.rules.ts';
import { rowOf } from './binary-contract.service.ts';
import { type BinaryContractRecord, findBinaryContract } from './binary-contract.store.ts';

/** One contract with the terms and ticks that decide its outcome. */
export async function binaryContractDetail(ctx: Ctx, { id }: IdInput): Promise<BinaryContractDetail> {
  const contract = await mustFind(ctx, id);
  const ticks = await fetchDecidingTicks(ctx, contract);
  const isRunning = contract.state === BINARY_CONTRACT.open;
  const closing = isRunning && ticks.close !== null;
  return {
    row: rowOf(contract),
    terms: termsOf(contract),
    ticks,
    entries: await fetchEntries(ctx, id),
    preview: isRunning && !closing ? await previewLegs(ctx.db, refundLegs(contract)) : [],
    commands: await fetchCommands(ctx, id),
    closing,
    approval: {
      needed: await needsChecker(ctx, 'second.void', contract.userId, valueInUsdt(contract.amount)),
      ...(await findRecordApproval(ctx, 'second', { ...contract, decidedAt: contract.updatedAt })),
    },
    now: ctx.now,
  };
}

/** The evidence file: a reader can recompute the outcome from it and detect changes by its SHA-256 hash. */
export const binaryContractEvidence = defineAction<IdInput, BinaryContractEvidence, BinaryContractRecord>({
  call: calls.evidence,
  load: (ctx, { id }) => findBinaryContract(ctx, id),
  execute: async (ctx, { id }, contract) => {
    const deciding = await fetchDecidingTicks(ctx, contract);
    const { ticks, left } = await fetchTicksBetween(ctx, contract, deciding);
    const recomputed = computeOutcome(contract, deciding.open ?? undefined, deciding.close ?? undefined);
    const body: Omit<BinaryContractEvidence, 'sha256'> = {
      product: '衡台 HengTai',
      madeAt: ctx.now,
      madeBy: ctx.operator.account,
      contract: rowOf(contract),
      terms: termsOf(contract),
      ticks,
      ticksLeftOut: left,
      entries: await fetchEntries(ctx, id),
      recomputed: { ...recomputed, matches: isSameOutcome(contract, recomputed) },
    };
    const sha256 = createHash('sha256').update(JSON.stringify(body)).digest('hex');
    const { userId, account, agentId } = contract;
    return { data: { ...body, sha256 }, subject: { type: 'second', id, userId, account, agentId }, after: { sha256 } };
  },
});

async function mustFind(ctx: Ctx, id: number): Promise<BinaryContractRecord> {
  return requireFound(await findBinaryContract(ctx, id));
}

/** A contract that an operator voided must have no result, regardless of the ticks. */
const isSameOutcome = (row: BinaryContractRecord, { state, type, profit }: Outcome): boolean =>
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
