import type { HandlersOf } from '../resources.ts';
import { homeState } from './home.store.ts';

export const homeRoutes: HandlersOf<'home'> = { state: homeState };
