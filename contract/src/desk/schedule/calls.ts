import { ABILITY } from '../../authority/ability.ts';
import { action, call } from '../../wire/endpoint.ts';
import { scheduleActions } from './facts.ts';
import type { ScheduleAdd, ScheduleRow, ScheduleSave } from './schema.ts';
import type { IdInput } from '../../wire/schema.ts';
import type { EmptyInput } from '../../house/session/schema.ts';

export const SCHEDULES_MAX = 20;

export const PERIOD = { daily: 0, weekly: 1, monthly: 2 } as const;
export const periodLabels = { 0: '每日', 1: '每周', 2: '每月' } as const;
export const weekdayLabels = { 1: '周一', 2: '周二', 3: '周三', 4: '周四', 5: '周五', 6: '周六', 7: '周日' } as const;

/** Which dates a scheduled export covers. */
export const RANGE = { query: 0, period: 1 } as const;
export const rangeLabels = { 0: '视图中的日期', 1: '执行日之前的一个周期' } as const;

/** The operator's own scheduled exports. Each run is an ordinary export job. */
export const schedule = {
  list: call<EmptyInput, ScheduleRow[]>()({
    method: 'GET',
    path: 'schedule/list',
    summary: '定时导出',
    kind: 'read',
    ability: ABILITY.export,
  }),
  add: action<ScheduleAdd, ScheduleRow>()(scheduleActions.add, 'schedule/add'),
  save: action<ScheduleSave, ScheduleRow>()(scheduleActions.save, 'schedule/save', { record: 'list' }),
  del: action<IdInput, null>()(scheduleActions.del, 'schedule/del'),
};
