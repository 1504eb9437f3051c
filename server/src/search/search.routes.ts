import type { HandlersOf } from '../resources.ts';
import { findEverywhere } from './search.store.ts';

export const searchRoutes: HandlersOf<'search'> = { find: findEverywhere };
