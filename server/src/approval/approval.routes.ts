import type { HandlersOf } from '../resources.ts';
import { type ActionRegistry, approvalPass, approvalReject } from './approval.service.ts';
import { listApprovals } from './approval.store.ts';

export const approvalRoutes = (registry: ActionRegistry): HandlersOf<'approval'> => ({
  list: listApprovals,
  pass: approvalPass(registry),
  reject: approvalReject(registry),
});
