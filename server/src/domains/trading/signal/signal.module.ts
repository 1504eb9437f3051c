import { platformReads } from '@hengtai/contract/gateway/reads.schema';
import type { Module } from '../../module.ts';
import { endOverdue } from './signal.jobs.ts';
import { signalAdd, signalChange, signalDetail } from './signal.service.ts';
import { listSignals, fetchPlatformSignals } from './signal.store.ts';

export const signalModule = {
  routes: {
    list: listSignals,
    detail: signalDetail,
    add: signalAdd,
    change: signalChange,
  },
  platformCalls: [
    {
      method: 'GET',
      path: '/signals',
      right: 'reads',
      summary: 'Returns the signals that can be followed',
      output: platformReads.signals,
      answer: (app, _input, scope) => fetchPlatformSignals(app.system, scope, app.clock.now()),
    },
  ],
  jobs: [{ name: 'end-signals', everyMs: 1_000, run: endOverdue }],
} satisfies Module<'signal'>;
