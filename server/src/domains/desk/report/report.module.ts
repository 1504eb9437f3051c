import { platformReads } from '@hengtai/contract/gateway/reads.schema';
import { Account, Id, Strict } from '@hengtai/contract/wire/schema';
import { Type } from '@sinclair/typebox';
import { requireFound } from '../../../app/refuse.ts';
import { platformCall } from '../../../gateway/handlers.ts';
import type { Module } from '../../module.ts';
import { compactFundDays, recordMove } from './fund-day.store.ts';
import { fetchCurrentFunds, listFundDays } from './fund-report.store.ts';
import { makeLiabilities } from './liability.jobs.ts';
import { liabilityMake, liabilityProof } from './liability.service.ts';
import { findLatestLiability, listLiabilities, findProofOfAccount } from './liability.store.ts';
import { requestNightly } from './solvency.jobs.ts';
import { readLeaves, readSolvency } from './solvency.service.ts';
import { listReviewTimes } from './review-report.store.ts';
import { listWork } from './work-report.store.ts';

const ProofQuery = Strict({ account: Account, id: Type.Optional(Id) });

export const reportModule = {
  routes: {
    fund: listFundDays,
    fetchCurrentFunds,
    work: listWork,
    reviews: listReviewTimes,
    liability: listLiabilities,
    make: liabilityMake,
    proof: liabilityProof,
    solvency: readSolvency,
    leaves: readLeaves,
  },
  platformCalls: [
    {
      method: 'GET',
      path: '/liabilities',
      right: 'reads',
      summary: 'Returns the public part of the latest proof of liabilities',
      output: platformReads.liabilities,
      answer: (app) => findLatestLiability(app.system),
    },
    platformCall(
      {
        method: 'GET',
        path: '/liabilities/proof',
        right: 'balances',
        summary: "Returns a user's own part of a proof of liabilities",
        input: ProofQuery,
        output: platformReads.liabilityProof,
      },
      async (app, { account, id }, { id: platformId }) => {
        return requireFound(await findProofOfAccount(app.system, platformId, account, id));
      },
    ),
  ],
  jobs: [
    // Readers include the deltas that this job compacts, so a longer pause costs no accuracy.
    { name: 'fund-days', everyMs: 5_000, run: compactFundDays },
    { name: 'liability', everyMs: 1_000, run: makeLiabilities },
    { name: 'nightly-proof', everyMs: 60_000, run: requestNightly },
  ],
  userChanges: { moving: recordMove },
} satisfies Module<'report'>;
