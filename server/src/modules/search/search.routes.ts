import type { HandlersOf } from '../../resources.ts';
import { searchRecords } from './search.store.ts';

export const searchRoutes: HandlersOf<'search'> = { find: searchRecords };
