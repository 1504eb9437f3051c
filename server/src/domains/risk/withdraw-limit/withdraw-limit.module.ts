import { User } from '@hengtai/contract/gateway/fields.schema';
import { platformReads } from '@hengtai/contract/gateway/reads.schema';
import { Strict } from '@hengtai/contract/wire/schema';
import { requireFound } from '../../../app/refuse.ts';
import { platformCall } from '../../../gateway/handlers.ts';
import type { Module } from '../../module.ts';
import type { PayoutStep } from '../../funds/withdraw/payout-step.store.ts';
import { groupAssign, groupDelete, groupSave, listGroups } from './group.service.ts';
import { judgeRequest } from './judge.steps.ts';
import { findInheritedTerms, limitSave, listLimits, listVersions, readUserLimits } from './limit.service.ts';
import { readPlatformLimits } from './platform-limits.steps.ts';
import { findAppliedLimits, limitUses } from './usage.store.ts';

export const withdrawLimitModule = {
  routes: {
    list: listLimits,
    versions: listVersions,
    save: limitSave,
    user: readUserLimits,
    groupList: listGroups,
    groupSave,
    groupDelete,
    assign: groupAssign,
    assignMany: { each: groupAssign },
  },
  findInherited: findInheritedTerms,
  payout: {
    onRequest: async ({ batch, at }, { user, market, data }) => {
      const judgement = await judgeRequest(batch, user.id, market, data, at);
      return judgement && ((withdrawId) => batch.insert(limitUses, { withdrawId, ...judgement }));
    },
    details: { appliedLimits: ({ db }, { id }) => findAppliedLimits(db, id) },
  } satisfies PayoutStep,
  platformCalls: [
    platformCall(
      {
        method: 'GET',
        path: '/withdrawal-limits',
        right: 'reads',
        summary: 'Returns what a user may withdraw of each coin, and the fees',
        input: Strict({ account: User }),
        output: platformReads.withdrawalLimits,
      },
      async (app, { account }, scope) => requireFound(await readPlatformLimits(app, scope, account)),
    ),
  ],
} satisfies Module<'withdrawLimit'>;
