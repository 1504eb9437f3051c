import type { HandlersOf } from '../resources.ts';
import { configSave } from './config.service.ts';
import { listSettings } from './config.store.ts';

export const configRoutes: HandlersOf<'config'> = { list: listSettings, save: configSave };
