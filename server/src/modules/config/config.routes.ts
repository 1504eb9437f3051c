import type { HandlersOf } from '../../resources.ts';
import { listHistory, settingsDiff } from './config-history.service.ts';
import { configRestore, configSave } from './config.service.ts';
import { listSettings } from './config.store.ts';

export const configRoutes: HandlersOf<'config'> = {
  list: listSettings,
  save: configSave,
  history: listHistory,
  diff: settingsDiff,
  restore: configRestore,
};
