import type { IdInput, ReasonInput } from '@hengtai/contract/wire/schema';
import { alarm as calls, alarmAbility, alarmText } from '@hengtai/contract/house/alarm/calls';
import { alarmStates } from '@hengtai/contract/house/alarm/facts';
import type { AlarmDetail, AlarmRow } from '@hengtai/contract/house/alarm/schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import { type Ctx, can } from '../../../app/context.ts';
import { defineAction } from '../../../actions/action.ts';
import { recordNotification } from '../../../actions/notification.store.ts';
import { type Refused, refuse, refuseStateConflict, requireFound } from '../../../app/refuse.ts';
import { type AlarmRecord, closeAlarm, fetchOccurrences, findAlarm, isOpen } from './alarm.store.ts';

export async function alarmDetail(ctx: Ctx, { id }: IdInput): Promise<AlarmDetail> {
  const { agentId: _agentId, ...row } = await requireAlarm(ctx, id);
  return { ...row, ...alarmText(row.kind), occurrences: await fetchOccurrences(ctx.db, id) };
}

/** Closes an alarm for all operators. It posts nothing: corrections are made on the record that the alarm is about. */
export const alarmClose = defineAction<ReasonInput, AlarmRow, AlarmRecord>({
  call: calls.close,
  load: (ctx, { id }) => findAlarm(ctx, id),
  check: (ctx, target) => {
    if (!can(ctx.operator, alarmAbility(target.kind))) throw refuse(refusals.forbidden);
    if (!isOpen(target)) throw notOpenRefusal(target);
  },
  execute: async (ctx, input, target) => {
    const { id, kind, userId, account, agentId } = target;
    const reason = input.reason.trim();
    const isClosed = await closeAlarm(ctx.db, id, { by: ctx.operator.account, reason, now: ctx.now });
    const after = await requireAlarm(ctx, id);
    if (!isClosed) throw notOpenRefusal(after);
    const reference = { refType: 'alarm', refId: id, userId, agentId, detail: kind };
    await recordNotification(ctx.db, {
      type: 'alarm.closed',
      ...reference,
      operatorId: ctx.operator.id,
      at: ctx.now,
      now: ctx.now,
    });
    const { agentId: _agentId, detail: _detail, ...row } = after;
    return {
      data: row,
      subject: { type: 'alarm', id, userId, account, agentId },
      before: { state: target.state },
      after: { state: row.state, reason },
    };
  },
});

/** @throws Refused 404 */
async function requireAlarm(ctx: Ctx, id: number): Promise<AlarmRecord> {
  return requireFound(await findAlarm(ctx, id));
}

const notOpenRefusal = ({ state, by, closedAt, createdAt }: AlarmRow): Refused =>
  refuseStateConflict(alarmStates[state as keyof typeof alarmStates], { state, by, at: closedAt ?? createdAt });
