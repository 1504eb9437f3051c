import type { Module } from '../../module.ts';
import { findMarks, findPresence } from './item.store.ts';
import { watchTargets } from './queue.jobs.ts';
import {
  queueAbsent,
  queueClaim,
  queueColleagues,
  queueComment,
  queueEscalate,
  queueHandOver,
  queueHistory,
  queueNext,
  queuePark,
  queueRelease,
} from './queue.service.ts';

export const queueModule = {
  routes: {
    next: queueNext,
    claim: queueClaim,
    release: queueRelease,
    marks: findMarks,
    history: queueHistory,
    colleagues: queueColleagues,
    park: queuePark,
    handOver: queueHandOver,
    escalate: queueEscalate,
    comment: queueComment,
    absent: queueAbsent,
    presence: (ctx) => findPresence(ctx),
  },
  jobs: [{ name: 'queue-targets', everyMs: 15_000, run: watchTargets }],
} satisfies Module<'queue'>;
