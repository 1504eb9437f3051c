import type { HandlersOf } from '../../resources.ts';
import { withdrawDetail } from './withdraw-detail.service.ts';
import { withdrawPass, withdrawRefund, withdrawReject, withdrawResolve, withdrawRetry } from './withdraw.service.ts';
import { listWithdraws } from './withdraw.store.ts';

export const withdrawRoutes: HandlersOf<'withdraw'> = {
  list: listWithdraws,
  detail: withdrawDetail,
  pass: withdrawPass,
  reject: withdrawReject,
  retry: withdrawRetry,
  refund: withdrawRefund,
  resolve: withdrawResolve,
  passMany: { each: withdrawPass },
  rejectMany: { each: withdrawReject },
};
