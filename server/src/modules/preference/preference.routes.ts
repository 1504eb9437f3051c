import type { HandlersOf } from '../../resources.ts';
import { preferenceSave } from './preference.service.ts';
import { listPreferences } from './preference.store.ts';

export const preferenceRoutes: HandlersOf<'preference'> = {
  list: async (ctx) => ({ items: await listPreferences(ctx) }),
  save: preferenceSave,
};
