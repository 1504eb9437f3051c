import type { HandlersOf } from '../../resources.ts';
import { listAudit } from './audit-list.store.ts';
import { loadAnchors, verifyChain, verifyStep } from '../../audit/verify.ts';

export const auditRoutes: HandlersOf<'audit'> = {
  list: listAudit,
  verify: async (_ctx, { after, hash }, app) => {
    const anchors = await loadAnchors(app.auditDir, app.auditKey);
    return after === undefined ? verifyChain(app.system, anchors) : verifyStep(app.system, anchors, after, hash);
  },
};
