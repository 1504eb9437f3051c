import { Type } from '@sinclair/typebox';
import type { Module } from '../../module.ts';
import { installationLive, installationState, installationSteps, platformLive } from './installation.service.ts';

export const installationModule = {
  routes: {
    state: installationState,
    live: installationLive,
    steps: installationSteps,
  },
  platformCalls: [
    {
      method: 'POST',
      path: '/live',
      right: 'import',
      summary: 'Ends the import of history; only for the simulator',
      output: Type.Null(),
      answer: async (app, _input, _scope, origin) => {
        await platformLive(app, origin);
        return null;
      },
    },
  ],
} satisfies Module<'installation'>;
