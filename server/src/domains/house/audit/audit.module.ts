import { sealPending } from '../../../books/audit/sealer.ts';
import { loadAnchors, verifyChain, verifyStep } from '../../../books/audit/verify.ts';
import type { Module } from '../../module.ts';
import { listAudit, fetchUserAudit } from './audit-list.store.ts';
import { sendHead } from './head.jobs.ts';

export const auditModule = {
  routes: {
    list: listAudit,
    verify: async (_ctx, { after, hash }, app) => {
      const anchors = await loadAnchors(app.auditDir, app.auditKey);
      return after === undefined ? verifyChain(app.system, anchors) : verifyStep(app.system, anchors, after, hash);
    },
  },
  jobs: [
    { name: 'seal', everyMs: 250, run: sealPending },
    { name: 'send-head', everyMs: 10_000, run: sendHead },
  ],
  lastOfUser: { audits: fetchUserAudit },
} satisfies Module<'audit'>;
