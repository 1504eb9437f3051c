import type { HandlersOf } from '../resources.ts';
import { secondConfigDel, secondConfigSave } from './second-config.service.ts';
import { listSecondConfigs } from './second-config.store.ts';
import { secondDetail, secondEvidence } from './second-detail.service.ts';
import { secondRisk } from './second-risk.store.ts';
import { secondVoid } from './second.service.ts';
import { listSeconds } from './second.store.ts';

export const secondRoutes: HandlersOf<'second'> = {
  configList: listSecondConfigs,
  configSave: secondConfigSave,
  configDel: secondConfigDel,
  list: listSeconds,
  detail: secondDetail,
  change: secondVoid,
  changeMany: { each: secondVoid },
  evidence: secondEvidence,
  risk: secondRisk,
};
