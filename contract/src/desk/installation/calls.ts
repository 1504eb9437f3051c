import { action, read } from '../../wire/endpoint.ts';
import { installationActions } from './facts.ts';
import type { FirstSteps, InstallationState } from './schema.ts';
import type { EmptyInput } from '../../house/session/schema.ts';

/** The import of history counts as ended after this long without an event. */
export const IMPORT_SILENT_MS = 5 * 60_000;
/** The import of history counts as complete when its events are this close to the present. */
export const IMPORT_NEAR_MS = 10 * 60_000;

/** The first steps of the top-level admin in a new installation, in order. */
export const firstSteps = ['password', 'otp', 'second', 'lock', 'market', 'gateway', 'kline', 'live'] as const;
export type FirstStep = (typeof firstSteps)[number];

export const installation = {
  state: read<EmptyInput, InstallationState>()('installation/state', '安装状态'),
  live: action<EmptyInput, InstallationState>()(installationActions.live, 'installation/live'),
  /** Which of the first steps are done. */
  steps: read<EmptyInput, FirstSteps>()('installation/steps', '首次使用步骤（仅限顶级管理员）'),
};
