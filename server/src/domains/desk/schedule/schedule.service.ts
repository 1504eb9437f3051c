import { refusals } from '@hengtai/contract/wire/refusals';
import { stableJson } from '@hengtai/contract/wire/stable-json';
import { PERIOD, SCHEDULES_MAX, schedule as calls } from '@hengtai/contract/desk/schedule/calls';
import type { ScheduleAdd, ScheduleRow, ScheduleSave } from '@hengtai/contract/desk/schedule/schema';
import type { IdInput } from '@hengtai/contract/wire/schema';
import { houseSubject } from '../../../actions/action-audit.ts';
import { defineAction } from '../../../actions/action.ts';
import { requireUnlimited } from '../../../authority/authority.ts';
import { Refused, refuse, refuseField } from '../../../app/refuse.ts';
import { DEFAULT_ZONE } from '../../../books/exports/request.ts';
import { requireList } from '../view/list-call.rules.ts';
import { exportForm, requireExport, validateColumns } from './form.rules.ts';
import { deleteSchedule, findSchedule, insertSchedule, updateSchedule } from './schedule.store.ts';
import { findSlots } from './slot.store.ts';

const subjectOf = houseSubject('schedule');
const auditFields = ({ name, list, query, format, period, day, hour, range, enabled }: ScheduleRow) => ({
  name,
  list,
  query,
  format,
  period,
  day,
  hour,
  range,
  enabled,
});

function validateDay({ period, day }: Pick<ScheduleSave, 'period' | 'day'>): void {
  if (period === PERIOD.weekly && day > 7) throw refuseField('day', '应为周一至周日');
}

/** A scheduled export is created from a list as it is on the screen. Later changes are about its time and format. */
export const scheduleAdd = defineAction<ScheduleAdd, ScheduleRow>({
  call: calls.add,
  validate: (input) => {
    validateDay(input);
    validateColumns(input);
    try {
      exportForm(input, DEFAULT_ZONE, { from: 0, to: 0 });
    } catch (error) {
      if (error instanceof Refused) throw refuseField('query', `：${error.message}`);
      throw error;
    }
  },
  authorize: (ctx, { list }) => {
    requireUnlimited(ctx);
    requireList(ctx, list);
  },
  execute: async (ctx, input) => {
    const { title } = requireExport(input.list);
    const { next } = await findSlots(ctx.db, input, ctx.now);
    const id = await insertSchedule(ctx, { ...input, title }, next);
    if (id === undefined) throw refuseField('name', `：最多 ${SCHEDULES_MAX} 个定时导出`);
    const saved = await findSchedule(ctx, id);
    if (!saved) throw refuse(refusals.notFound);
    return { data: saved, subject: subjectOf(ctx, { id }), after: auditFields(saved), msg: '已保存' };
  },
});

export const scheduleSave = defineAction<ScheduleSave, ScheduleRow, ScheduleRow>({
  call: calls.save,
  validate: validateDay,
  authorize: requireUnlimited,
  load: (ctx, { id }) => findSchedule(ctx, id),
  setting: {
    record: (target, ctx) => ({ data: target, subject: subjectOf(ctx, target) }),
    isSet: (target, input) => stableJson(auditFields(target)) === stableJson(auditFields({ ...target, ...input })),
  },
  execute: async (ctx, input, target) => {
    const { next } = await findSlots(ctx.db, input, ctx.now);
    const saved = (await updateSchedule(ctx, input, next)) ? await findSchedule(ctx, input.id) : undefined;
    if (!saved) throw refuse(refusals.notFound);
    return {
      data: saved,
      subject: subjectOf(ctx, input),
      before: auditFields(target),
      after: auditFields(saved),
      msg: '已保存',
    };
  },
});

export const scheduleDel = defineAction<IdInput, null, ScheduleRow>({
  call: calls.del,
  load: (ctx, { id }) => findSchedule(ctx, id),
  execute: async (ctx, { id }, target) => {
    if (!(await deleteSchedule(ctx, id))) throw refuse(refusals.notFound);
    return { data: null, subject: subjectOf(ctx, { id }), before: auditFields(target), msg: '已删除' };
  },
});
