import type { HandlersOf } from '../resources.ts';
import { listAudit } from './audit-list.store.ts';
import { verifyChain, verifyStep } from './verify.ts';

export const auditRoutes: HandlersOf<'audit'> = {
  list: listAudit,
  verify: async (_ctx, { after, hash }, app) =>
    after === undefined ? verifyChain(app.system, app.auditDir) : verifyStep(app.system, app.auditDir, after, hash),
};
