import type { Module } from '../../module.ts';
import { preferenceSave } from './preference.service.ts';
import { listPreferences } from './preference.store.ts';

export const preferenceModule = {
  routes: {
    list: async (ctx) => ({ items: await listPreferences(ctx) }),
    save: preferenceSave,
  },
} satisfies Module<'preference'>;
