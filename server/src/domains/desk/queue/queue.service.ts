import { CODE } from '@hengtai/contract/wire/envelope';
import type { CallSpec } from '@hengtai/contract/wire/endpoint';
import type { NotificationType } from '@hengtai/contract/desk/notify/notification';
import { ABSENCE_DAYS_MAX, PARK_DAYS_MAX, queue as calls } from '@hengtai/contract/desk/queue/calls';
import type {
  QueueAbsent,
  QueueClaim,
  QueueClaimed,
  QueueColleague,
  QueueComment,
  QueueEscalate,
  QueueGiven,
  QueueHandOver,
  QueueHistory,
  QueueNext,
  QueuePark,
  QueuePresence,
  QueueRecord,
} from '@hengtai/contract/desk/queue/schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import type { ReviewType } from '@hengtai/contract/desk/queue/work-queue';
import { type ActionResult, defineAction } from '../../../actions/action.ts';
import { recordRefusal } from '../../../actions/action-audit.ts';
import { withAuthority } from '../../../authority/authority.ts';
import { recordNotification } from '../../../actions/notification.store.ts';
import type { Ctx } from '../../../app/context.ts';
import { Refused, refuse, refuseField, requireFound } from '../../../app/refuse.ts';
import type { SessionHandler } from '../../../http/handler.ts';
import { withFullScope } from '../../../database/connect.ts';
import { countsOf } from '../../../realtime/waiting.store.ts';
import { endClaims, findBest, findHolder, takeClaim, takeNext } from './claim.store.ts';
import {
  addEvent,
  findColleagues,
  findEvents,
  findItem,
  findPresence,
  findSuperiors,
  setAbsent,
  setAssignee,
  setParked,
  setPresent,
} from './item.store.ts';
import { type ReviewRecord, canReview, findRecord, isWaiting } from './record.store.ts';
import { closeRecord, findViewers, openRecord } from './viewer.store.ts';

const DAY_MS = 86_400_000;
/** Rounds of a call whose record another one claimed first; each round sees what the last one lost to. */
const NEXT_ROUNDS = 8;

/** Wraps a call of a tab: it has the authority of an action, and leaves no audit row unless it is refused. */
const inTab =
  <I, O>(name: string, call: CallSpec, work: (ctx: Ctx, input: I) => Promise<O>): SessionHandler<I> =>
  async ({ app, caller }, input) => {
    if (!caller) throw refuse(refusals.sessionInvalid);
    try {
      const data = await withAuthority(app, caller, call, (ctx) => work(ctx, input));
      return { code: CODE.ok, msg: 'ok', data };
    } catch (error) {
      if (error instanceof Refused) await recordRefusal(app, caller, name, error, input);
      throw error;
    }
  };

/** @throws Refused 403 if the operator can decide about no record of this kind */
function authorizeReview(ctx: Ctx, { targetType }: { targetType: ReviewType }): void {
  if (!canReview(ctx, targetType)) throw refuse(refusals.forbidden);
}

export const queueNext = inTab('queue.next', calls.next, async (ctx, input: QueueNext): Promise<QueueGiven> => {
  const { queue: key, tab, skip = [] } = input;
  if (!countsOf(ctx).includes(key)) throw refuse(refusals.forbidden);
  await closeRecord(ctx, tab);
  await endClaims(ctx, tab);
  let given = await takeNext(ctx, { key, skip }, tab);
  for (let round = 1; given.lost && round < NEXT_ROUNDS; round += 1) {
    await endClaims(ctx, tab);
    given = await takeNext(ctx, { key, skip }, tab);
  }
  const { id, waiting } = given;
  const following = id === null ? null : await findBest(ctx, { key, skip, without: id });
  return { id, following, waiting };
});

export const queueClaim = inTab('queue.claim', calls.claim, async (ctx, input: QueueClaim): Promise<QueueClaimed> => {
  authorizeReview(ctx, input);
  const { id, type } = await mustFind(ctx, input);
  const { tab } = input;
  const waiting = await isWaiting(ctx, { type, id });
  await (waiting ? openRecord(ctx, { type, id, tab }) : closeRecord(ctx, tab));
  await endClaims(ctx, tab, waiting ? { type, id } : undefined);
  if (waiting) await takeClaim(ctx, { type, id, tab });
  const holder = await findHolder(ctx, { type, id, tab });
  return { waiting, holder, viewers: waiting ? await findViewers(ctx, { type, id }) : [] };
});

export const queueRelease = inTab('queue.release', calls.release, async (ctx, { tab }: { tab: string }) => {
  await closeRecord(ctx, tab);
  await endClaims(ctx, tab);
  return null;
});

async function mustFind(ctx: Ctx, { targetType, targetId }: QueueRecord): Promise<ReviewRecord> {
  return requireFound(await findRecord(ctx, targetType, targetId));
}

async function historyOf(ctx: Ctx, record: ReviewRecord): Promise<QueueHistory> {
  const item = await findItem(ctx, record);
  return { ...item, events: await findEvents(ctx, record) };
}

export async function queueHistory(ctx: Ctx, input: QueueRecord): Promise<QueueHistory> {
  return historyOf(ctx, await mustFind(ctx, input));
}

export async function queueColleagues(ctx: Ctx, input: QueueRecord): Promise<QueueColleague[]> {
  authorizeReview(ctx, input);
  return findColleagues(ctx, await mustFind(ctx, input));
}

/** @throws Refused 409 if the record waits in no queue any more */
async function requireWaiting(ctx: Ctx, record: ReviewRecord): Promise<void> {
  if (!(await isWaiting(ctx, record))) throw refuse(refusals.stateConflict);
}

async function resultOf(
  ctx: Ctx,
  record: ReviewRecord,
  before: unknown,
  after: unknown,
): Promise<ActionResult<QueueHistory>> {
  const data = await historyOf(ctx, record);
  return { data, subject: record, before, after };
}

export const queuePark = defineAction<QueuePark, QueueHistory, ReviewRecord>({
  call: calls.park,
  authorize: authorizeReview,
  load: mustFind,
  execute: async (ctx, { until, reason = '' }, record) => {
    if (until !== 0 && (until <= ctx.now || until > ctx.now + PARK_DAYS_MAX * DAY_MS))
      throw refuseField('until', `须在 ${PARK_DAYS_MAX} 天之内`);
    await requireWaiting(ctx, record);
    const { parkedUntil: before } = await findItem(ctx, record);
    const parkedUntil = until === 0 ? null : until;
    await setParked(ctx, record, parkedUntil);
    await addEvent(ctx, record, { kind: 'park', text: reason, until: parkedUntil });
    return resultOf(ctx, record, { parkedUntil: before }, { parkedUntil });
  },
});

export const queueHandOver = defineAction<QueueHandOver, QueueHistory, ReviewRecord>({
  call: calls.handOver,
  authorize: authorizeReview,
  load: mustFind,
  execute: async (ctx, { operatorId, reason = '' }, record) => {
    await requireWaiting(ctx, record);
    const { assignee: before } = await findItem(ctx, record);
    const [to] = operatorId === 0 ? [] : await colleaguesAmong(ctx, record, [operatorId], 'operatorId');
    await setAssignee(ctx, record, { assigneeId: to?.id ?? null, escalated: false });
    await addEvent(ctx, record, { kind: 'handOver', text: reason, operatorIds: to ? [to.id] : [] });
    if (to) await notifyOperators(ctx, 'queue.handedOver', record, [to.id]);
    return resultOf(ctx, record, { assignee: before }, { assignee: to?.account ?? null });
  },
});

export const queueEscalate = defineAction<QueueEscalate, QueueHistory, ReviewRecord>({
  call: calls.escalate,
  authorize: authorizeReview,
  load: mustFind,
  execute: async (ctx, { reason }, record) => {
    await requireWaiting(ctx, record);
    const superiors = await findSuperiors(ctx, record);
    if (superiors.length === 0) throw refuse(refusals.nobodyAbove);
    await setAssignee(ctx, record, { assigneeId: null, escalated: true });
    await addEvent(ctx, record, { kind: 'escalate', text: reason });
    await notifyOperators(ctx, 'queue.escalated', record, superiors);
    return resultOf(ctx, record, undefined, { escalated: true });
  },
});

/** Comments stay readable after the decision. Operators that a comment mentions are notified without its text. */
export const queueComment = defineAction<QueueComment, QueueHistory, ReviewRecord>({
  call: calls.comment,
  authorize: authorizeReview,
  load: mustFind,
  execute: async (ctx, { text, mentions = [] }, record) => {
    const mentioned = await colleaguesAmong(ctx, record, mentions, 'mentions');
    await addEvent(ctx, record, { kind: 'comment', text, operatorIds: mentioned.map(({ id }) => id) });
    await notifyOperators(
      ctx,
      'queue.mentioned',
      record,
      mentioned.map(({ id }) => id),
    );
    return resultOf(ctx, record, undefined, { text, mentions: mentioned.map(({ account }) => account).join('、') });
  },
});

/** @throws Refused 422 if one of them cannot decide about the record or is outside the caller's scope */
async function colleaguesAmong(
  ctx: Ctx,
  record: ReviewRecord,
  ids: readonly number[],
  field: string,
): Promise<QueueColleague[]> {
  if (ids.length === 0) return [];
  const colleagues = (await findColleagues(ctx, record)).filter(({ id }) => ids.includes(id));
  if (colleagues.length < ids.length) throw refuseField(field, '中有不能处理此记录的操作员');
  return colleagues;
}

/** The receivers may be above the caller, so their notifications are written with full scope. */
async function notifyOperators(
  ctx: Ctx,
  type: NotificationType,
  { type: refType, id: refId, userId }: ReviewRecord,
  operatorIds: readonly number[],
): Promise<void> {
  if (operatorIds.length === 0) return;
  await withFullScope(ctx.db, async () => {
    for (const operatorId of operatorIds)
      await recordNotification(ctx.db, {
        type,
        refType,
        refId,
        userId,
        agentId: operatorId,
        operatorId,
        at: ctx.now,
        now: ctx.now,
      });
  });
}

export const queueAbsent = defineAction<QueueAbsent, QueuePresence>({
  call: calls.absent,
  execute: async (ctx, { absent, backAt = null }) => {
    if (absent === 1 && backAt !== null && (backAt <= ctx.now || backAt > ctx.now + ABSENCE_DAYS_MAX * DAY_MS))
      throw refuseField('backAt', `须在 ${ABSENCE_DAYS_MAX} 天之内`);
    const before = await findPresence(ctx);
    await (absent === 1 ? setAbsent(ctx, backAt) : setPresent(ctx));
    const data = await findPresence(ctx);
    const { id, account } = ctx.operator;
    return { data, subject: { type: 'agent', id, account, agentId: id }, before, after: data };
  },
});
