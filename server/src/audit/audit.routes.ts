import type { HandlersOf } from '../resources.ts';
import { listAudit } from './audit-list.store.ts';
import { verifyChain } from './verify.ts';

export const auditRoutes: HandlersOf<'audit'> = {
  list: listAudit,
  verify: async (_ctx, _input, app) => verifyChain(app.system, app.auditDir),
};
