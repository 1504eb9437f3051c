import { listApprovals } from '../../../actions/approval.store.ts';
import type { Module } from '../../module.ts';
import { approvalBacktest, approvalCheckers, approvalDetail, approvalOpen } from './approval-detail.service.ts';
import { approvalCancel, approvalResubmit } from './approval-maker.service.ts';
import { approvalPass, approvalReject, expireOverdue } from './approval.service.ts';
import type { ActionRegistry } from './execution.steps.ts';
import { fourEyesLock, fourEyesState, otherOperators } from './four-eyes.service.ts';
import { operatorKnown } from './known.service.ts';
import { approvalWaiting } from './approval-waiting.store.ts';

export const approvalModule = (registry: ActionRegistry) =>
  ({
    routes: {
      list: listApprovals,
      detail: approvalDetail(registry),
      backtest: approvalBacktest(registry),
      open: approvalOpen,
      checkers: approvalCheckers,
      fourEyes: fourEyesState,
      operators: otherOperators,
      lock: fourEyesLock,
      known: operatorKnown,
      pass: approvalPass(registry),
      reject: approvalReject(registry),
      cancel: approvalCancel(registry),
      resubmit: approvalResubmit(registry),
    },
    jobs: [{ name: 'expire', everyMs: 1_000, run: async (app) => (await expireOverdue(app, registry)) > 0 }],
    waiting: approvalWaiting,
  }) satisfies Module<'approval'>;
