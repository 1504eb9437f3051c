import type { HandlersOf } from '../../resources.ts';
import { listJobs } from '../../exports/export-job.store.ts';
import { exportCancel, exportDownload, exportRemove } from './export.service.ts';

export const exportRoutes: HandlersOf<'export'> = {
  list: listJobs,
  cancel: exportCancel,
  remove: exportRemove,
  download: exportDownload,
};
