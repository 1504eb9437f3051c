import type { Module } from '../../module.ts';
import { listHistory, settingsDiff } from './config-history.service.ts';
import { configRestore, configSave } from './config.service.ts';
import { listSettings } from './config.store.ts';

export const configModule = {
  routes: {
    list: listSettings,
    save: configSave,
    history: listHistory,
    diff: settingsDiff,
    restore: configRestore,
  },
} satisfies Module<'config'>;
