import type { HandlersOf } from '../../resources.ts';
import { type ActionRegistry, approvalPass, approvalReject } from './approval.service.ts';
import { approvalCheckers, approvalDetail, approvalOpen } from './approval-detail.service.ts';
import { fourEyesLock, fourEyesState } from './four-eyes.service.ts';
import { listApprovals } from '../../actions/approval.store.ts';

export const approvalRoutes = (registry: ActionRegistry): HandlersOf<'approval'> => ({
  list: listApprovals,
  detail: approvalDetail(registry),
  open: approvalOpen,
  checkers: approvalCheckers,
  fourEyes: fourEyesState,
  lock: fourEyesLock,
  pass: approvalPass(registry),
  reject: approvalReject(registry),
});
