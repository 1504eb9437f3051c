import type { HandlersOf } from '../../resources.ts';
import { alarmClose, alarmDetail } from './alarm.service.ts';
import { listAlarms } from './alarm.store.ts';

export const alarmRoutes: HandlersOf<'alarm'> = { list: listAlarms, detail: alarmDetail, close: alarmClose };
