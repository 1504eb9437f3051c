import type { Module } from '../../module.ts';
import { alarmClose, alarmDetail } from './alarm.service.ts';
import { listAlarms } from './alarm.store.ts';
import { watchHolds } from './holds.jobs.ts';
import { alarmWaiting } from './alarm-waiting.store.ts';

export const alarmModule = {
  routes: {
    list: listAlarms,
    detail: alarmDetail,
    close: alarmClose,
  },
  jobs: [{ name: 'holds', everyMs: 60_000, run: watchHolds }],
  waiting: alarmWaiting,
} satisfies Module<'alarm'>;
