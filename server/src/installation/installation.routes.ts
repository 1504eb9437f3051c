import type { HandlersOf } from '../resources.ts';
import { installationLive, installationState } from './installation.service.ts';

export const installationRoutes: HandlersOf<'installation'> = { state: installationState, live: installationLive };
