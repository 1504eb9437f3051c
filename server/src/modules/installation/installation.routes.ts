import type { HandlersOf } from '../../resources.ts';
import { installationLive, installationState, installationSteps } from './installation.service.ts';

export const installationRoutes: HandlersOf<'installation'> = {
  state: installationState,
  live: installationLive,
  steps: installationSteps,
};
