import type { Module } from '../../module.ts';
import { runSchedules } from './schedule.jobs.ts';
import { scheduleAdd, scheduleDel, scheduleSave } from './schedule.service.ts';
import { listSchedules } from './schedule.store.ts';

export const scheduleModule = {
  routes: { list: (ctx) => listSchedules(ctx), add: scheduleAdd, save: scheduleSave, del: scheduleDel },
  jobs: [{ name: 'schedule', everyMs: 5_000, run: runSchedules }],
} satisfies Module<'schedule'>;
