import type { HandlersOf } from '../../resources.ts';
import { fetchCurrentFunds, listFundDays } from './fund-report.store.ts';
import { liabilityMake, liabilityProof } from './liability.service.ts';
import { listLiabilities } from './liability.store.ts';
import { listWork } from './work-report.store.ts';

export const reportRoutes: HandlersOf<'report'> = {
  fund: listFundDays,
  fetchCurrentFunds,
  work: listWork,
  liability: listLiabilities,
  make: liabilityMake,
  proof: liabilityProof,
};
