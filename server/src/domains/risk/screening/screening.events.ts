import { KYC } from '@hengtai/contract/risk/kyc/calls';
import { SCREEN_ANSWERS_MAX } from '@hengtai/contract/risk/screening/calls';
import { WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import type { EventData } from '@hengtai/contract/gateway/events.schema';
import { recordNotification } from '../../../actions/notification.store.ts';
import type { EventCtx } from '../../../gateway/event-batch.ts';
import type { AnswerHandler, EventHandlers } from '../../../gateway/handlers.ts';
import { reject } from '../../../gateway/rejected.ts';
import { raiseAlarm } from '../../house/alarm/alarm.store.ts';
import { addReadyCandidate } from '../auto-payout/candidate.store.ts';
import { type AnsweredScreening, insertAnswer, lockScreening, setFailure } from './screening.store.ts';

/** The id of a request by its number; undefined if no request can have the number. */
function idOf(no: string): number | undefined {
  const [, digits] = /^S([1-9]\d{0,14})$/.exec(no) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

export const screeningEvents: EventHandlers<'screen.answered'> = {
  'screen.answered': async (ctx, data) => {
    const { batch, db, at, now } = ctx;
    const id = idOf(data.no);
    const found = id === undefined ? undefined : await lockScreening(db, id);
    if (!found || !(await batch.owns(found.userId))) throw reject('unknown', 'no');
    if (found.answers >= SCREEN_ANSWERS_MAX) throw reject('decided');
    const { provider, result, score = null, categories = [], reference = '' } = data;
    await insertAnswer(db, { screeningId: found.screeningId, provider, result, score, categories, reference, at, now });
    if (found.type === 'withdraw') await addReadyCandidate(db, found.id, now);
    await notify(ctx, found, result === 'hit');
    if (result === 'hit' && isPassed(found)) await alarmLateHit(ctx, found, data);
  },
};

const paidStates: readonly number[] = [WITHDRAW.queued, WITHDRAW.paying, WITHDRAW.paid, WITHDRAW.unknown];

/** Whether the record was passed. A failed payout is not: its retry needs the screening again. */
const isPassed = ({ type, state }: AnsweredScreening): boolean =>
  type === 'withdraw' ? paidStates.includes(state) : state === KYC.passed;

async function notify({ db, at, now }: EventCtx, found: AnsweredScreening, isHit: boolean): Promise<void> {
  const { type, id: refId, userId, agentId } = found;
  const types = {
    withdraw: isHit ? 'screening.hit' : 'screening.answered',
    auth: isHit ? 'screening.nameHit' : 'screening.nameAnswered',
  } as const;
  await recordNotification(db, { type: types[type], refType: type, refId, userId, agentId, at, now });
}

async function alarmLateHit(
  { db, now }: EventCtx,
  { type, id: refId, userId, agentId }: AnsweredScreening,
  { provider, categories = [] }: EventData['screen.answered'],
): Promise<void> {
  const kind = ({ withdraw: 'withdraw.screenHit', auth: 'auth.screenHit' } as const)[type];
  const detail = { provider, categories: categories.join('、') };
  await raiseAlarm(db, { kind, refType: type, refId, userId, agentId, detail, now });
}

/** The platform could not ask a provider. A later answer counts nevertheless. */
export const answerRequest: AnswerHandler = async (db, command, answer, reason) => {
  if (answer === 'done') return;
  const id = idOf((command.data as { no: string }).no);
  if (id !== undefined) await setFailure(db, id, reason || '平台没有说明原因');
};
