import type { Handlers } from '../../../books/exports/export-call.ts';
import { listJobs } from '../../../books/exports/export-job.store.ts';
import type { Module } from '../../module.ts';
import { makeExports, tidyExports } from './export.jobs.ts';
import { exportCancel, exportDownload, exportRemove } from './export.service.ts';

/** A file of many million rows takes hours at its limited speed. */
const EXPORT_MAX_RUN_MS = 24 * 3_600_000;

export const exportModule = (handlers: Handlers) =>
  ({
    routes: {
      list: listJobs,
      cancel: exportCancel,
      remove: exportRemove,
      download: exportDownload,
    },
    jobs: [
      { name: 'export', everyMs: 500, maxRunMs: EXPORT_MAX_RUN_MS, run: makeExports(handlers) },
      { name: 'export-files', everyMs: 2_000, run: tidyExports },
    ],
  }) satisfies Module<'export'>;
