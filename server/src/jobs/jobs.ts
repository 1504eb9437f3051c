import { expireOverdue } from '../modules/approval/approval.service.ts';
import { sendHead } from '../modules/audit/head.jobs.ts';
import { sealPending } from '../audit/sealer.ts';
import { publishCommands, timeOutCommands } from '../gateway/publisher.ts';
import { compactFundDays } from '../modules/report/fund-day.store.ts';
import { compactCounters } from '../lists/counters.ts';
import { numberNotifications } from '../modules/notify/notify.jobs.ts';
import { makeExports, tidyExports } from '../modules/export/export.jobs.ts';
import { approvableActions, resources } from '../resources.ts';
import { aggregateTicks } from '../modules/market/market.jobs.ts';
import { endOverdue } from '../modules/signal/signal.jobs.ts';
import { resumeOverdue } from '../modules/price-protection/price-protection.jobs.ts';
import { makeLiabilities } from '../modules/report/liability.jobs.ts';
import { settleBinaryContracts, watchBinaryContracts } from '../modules/binary-contract/binary-contract.jobs.ts';
import { watchHolds } from '../modules/alarm/holds.jobs.ts';
import { sweep } from './sweep.ts';
import type { Job } from './job.ts';

export const jobs: readonly Job[] = [
  { name: 'seal', everyMs: 250, run: sealPending },
  { name: 'send-head', everyMs: 10_000, run: sendHead },
  { name: 'publish', everyMs: 250, run: publishCommands },
  { name: 'number-facts', everyMs: 200, run: numberNotifications },
  { name: 'time-out', everyMs: 1_000, run: timeOutCommands },
  { name: 'expire', everyMs: 1_000, run: async (app) => (await expireOverdue(app, approvableActions)) > 0 },
  // Readers include the deltas that these jobs compact, so longer pauses cost no accuracy.
  { name: 'compact-counters', everyMs: 5_000, run: compactCounters },
  { name: 'fund-days', everyMs: 5_000, run: compactFundDays },
  { name: 'export', everyMs: 500, run: makeExports(() => resources) },
  { name: 'export-files', everyMs: 2_000, run: tidyExports },
  { name: 'resume-markets', everyMs: 1_000, run: resumeOverdue },
  { name: 'second-settle', everyMs: 200, run: settleBinaryContracts },
  { name: 'second-watch', everyMs: 1_000, run: watchBinaryContracts },
  { name: 'end-signals', everyMs: 1_000, run: endOverdue },
  { name: 'candles', everyMs: 5_000, run: aggregateTicks },
  { name: 'liability', everyMs: 1_000, run: makeLiabilities },
  { name: 'holds', everyMs: 60_000, run: watchHolds },
  { name: 'sweep', everyMs: 600_000, run: sweep },
];
