import { call } from './endpoint.ts';
import type { FirstSteps, InstallationState } from './installation.schema.ts';
import type { Nothing } from './session.schema.ts';

/** A platform that has told nothing for this long is no longer moving in. */
export const IMPORT_SILENT_MS = 5 * 60_000;
/** History that has come this near to the present is complete as far as anybody can see. */
export const IMPORT_NEAR_MS = 10 * 60_000;

/** What the top-level admin of a new installation does first, in this order. */
export const firstSteps = ['password', 'otp', 'second', 'lock', 'market', 'gateway', 'live'] as const;
export type FirstStep = (typeof firstSteps)[number];

export const installation = {
  state: call<Nothing, InstallationState>()({
    method: 'GET',
    path: 'installation/state',
    summary: '安装状态',
    kind: 'read',
  }),
  live: call<Nothing, InstallationState>()({
    method: 'POST',
    path: 'installation/live',
    summary: '上线（仅限顶级管理员）',
    kind: 'action',
    fresh: true,
  }),
  /** Which of the first steps are done, as the server knows it. */
  steps: call<Nothing, FirstSteps>()({
    method: 'GET',
    path: 'installation/steps',
    summary: '首次使用步骤（仅限顶级管理员）',
    kind: 'read',
  }),
};
