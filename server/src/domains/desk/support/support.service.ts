import type { IdInput } from '@hengtai/contract/wire/schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import { support as calls, supportActionStates } from '@hengtai/contract/desk/support/calls';
import { supportStates, SUPPORT } from '@hengtai/contract/desk/support/facts';
import type {
  SupportAssign,
  SupportClose,
  SupportDetail,
  SupportMessage,
  SupportMessages,
  SupportOpen,
  SupportOperator,
  SupportPage,
  SupportRead,
  SupportRow,
  SupportSend,
} from '@hengtai/contract/desk/support/schema';
import { SUPPORT_IMAGE_BYTES_MAX } from '@hengtai/contract/wire/input-values';
import type { NotificationType } from '@hengtai/contract/desk/notify/notification';
import { type InlineImage, isDataUrl, parseInlineImage } from '../../risk/kyc/image.rules.ts';
import type { Ctx } from '../../../app/context.ts';
import { enqueue } from '../../../gateway/command.store.ts';
import { defineAction } from '../../../actions/action.ts';
import { recordSubject } from '../../../actions/action-audit.ts';
import { recordNotification } from '../../../actions/notification.store.ts';
import { type Refused, refuse, refuseField, refuseStateConflict, requireFound } from '../../../app/refuse.ts';
import { findUser } from '../../people/user/user.store.ts';
import { findCustomer } from '../../people/user/customer.store.ts';
import { assign, findAssignableOperators, lockOperator, assignIfUnassigned, unassign } from './assignee.store.ts';
import { findImage, findMessage, listMessages, messageNumber } from './message.store.ts';
import {
  type SupportRecord,
  addMessage,
  closeSupportConversation,
  findSupportConversation,
  openSupportConversation,
  readUpTo,
  lockSupportConversation,
} from './support.store.ts';

const subjectOf = recordSubject('service');

const OPERATORS_MAX = 200;

export async function supportDetail(ctx: Ctx, { id }: IdInput): Promise<SupportDetail> {
  const found = await mustFind(ctx, id);
  const user = requireFound(await findCustomer(ctx, found.userId));
  return { row: rowOf(found), user };
}

export async function supportMessages(ctx: Ctx, input: SupportMessages): Promise<SupportPage> {
  await mustFind(ctx, input.id);
  return listMessages(ctx, input);
}

/**
 * An image stored in the database; URLs of the platform are never fetched.
 *
 * @throws Refused 404 if there is no stored image or the message is outside the operator's scope
 */
export async function supportImage(ctx: Ctx, { id }: IdInput): Promise<InlineImage> {
  return requireFound(parseInlineImage((await findImage(ctx, id)) ?? ''));
}

export async function supportOperators(ctx: Ctx, { id }: IdInput): Promise<SupportOperator[]> {
  await mustFind(ctx, id);
  return findAssignableOperators(ctx, id, OPERATORS_MAX);
}

/** Opens the conversation with a user, so that an operator can write first. */
export const supportOpen = defineAction<SupportOpen, SupportRow, { id: number }>({
  call: calls.open,
  load: (ctx, { userId }) => findUser(ctx, userId),
  execute: async (ctx, _input, user) => {
    const id = await openSupportConversation(ctx, user.id);
    if (id === undefined) throw refuse(refusals.notFound);
    const row = await mustFind(ctx, id);
    return { data: rowOf(row), subject: subjectOf(row), after: { state: row.state } };
  },
});

/** Sends a message to a user. The audit row has the length of the text but not the text. */
export const supportSend = defineAction<SupportSend, SupportMessage, SupportRecord>({
  call: calls.send,
  validate: validateMessage,
  load: (ctx, { id }) => findSupportConversation(ctx, id),
  execute: async (ctx, { text, image = '' }, target) => {
    const { now } = ctx;
    await lockOperator(ctx, ctx.operator.id);
    const conversation = await lockSupportConversation(ctx, target);
    if (!conversation) throw refuse(refusals.userDeleted);
    const id = await addMessage(ctx.db, conversation, { operatorId: ctx.operator.id, text, image, at: now, now });
    if (id === undefined) throw new Error(`The insert of a message into conversation ${target.id} returned no row.`);
    await assignIfUnassigned(ctx, target.id);
    const data = { no: messageNumber(id), account: target.account, text, ...(image === '' ? {} : { image }), at: now };
    await enqueue(ctx.db, { type: 'message.sent', refType: 'message', refId: id, data, now });
    await notify(ctx, 'service.sent', target);
    const message = requireFound(await findMessage(ctx, id));
    return {
      data: message,
      subject: subjectOf(target),
      after: { messageId: id, characters: text.length, image: image !== '' },
    };
  },
});

/** @throws Refused 422 if the message has neither text nor image, or an invalid or too large image */
function validateMessage({ text, image = '' }: SupportSend): void {
  if (image === '' && text.trim() === '')
    throw refuse(refusals.invalid, '请输入消息内容', [{ field: 'text', msg: '请输入消息内容' }]);
  if (image === '') return;
  const parsed = isDataUrl(image) ? parseInlineImage(image) : undefined;
  if (!parsed) throw refuseField('image', '不是 PNG、JPEG 或 WebP 图片');
  if (parsed.bytes.length > SUPPORT_IMAGE_BYTES_MAX) throw refuseField('image', '不能超过 512 KB');
}

/** Closes a conversation. The next message reopens it. */
export const supportClose = defineAction<SupportClose, SupportRow, SupportRecord>({
  call: calls.close,
  load: (ctx, { id }) => findSupportConversation(ctx, id),
  check: (_ctx, target) => {
    if (!supportActionStates.close.some((state) => state === target.state)) throw stateConflictOf(target);
  },
  execute: async (ctx, { id, seen }, target) => {
    if (!(await closeSupportConversation(ctx, id, seen))) throw closeRefusal(await mustFind(ctx, id));
    await notify(ctx, 'service.closed', target);
    return changeOf(target, await mustFind(ctx, id));
  },
});

/** Assigns a conversation to an operator of the caller's scope; `operatorId` 0 unassigns it. */
export const supportAssign = defineAction<SupportAssign, SupportRow, SupportRecord>({
  call: calls.assign,
  load: (ctx, { id }) => findSupportConversation(ctx, id),
  execute: async (ctx, { id, operatorId }, target) => {
    if (operatorId === 0) await unassign(ctx, id);
    else {
      if (!(await lockOperator(ctx, operatorId))) throw refuse(refusals.notFound);
      if (!(await assign(ctx, id, operatorId))) throw refuseField('operatorId', '不能处理此用户的会话');
    }
    await notify(ctx, 'service.assigned', target);
    return changeOf(target, await mustFind(ctx, id));
  },
});

/** Marks a conversation as read up to a message. The read position never moves backwards. */
export const supportRead = defineAction<SupportRead, SupportRow, SupportRecord>({
  call: calls.read,
  load: (ctx, { id }) => findSupportConversation(ctx, id),
  execute: async (ctx, { id, upTo }, target) => {
    await readUpTo(ctx, id, upTo);
    const after = await mustFind(ctx, id);
    if (after.unread < target.unread) await notify(ctx, 'service.read', target, ctx.operator.id);
    return {
      data: rowOf(after),
      subject: subjectOf(target),
      before: { unread: target.unread },
      after: { unread: after.unread, readTo: upTo },
    };
  },
});

const changeOf = (target: SupportRecord, after: SupportRecord) => ({
  data: rowOf(after),
  subject: subjectOf(target),
  before: auditedFields(target),
  after: auditedFields(after),
});

async function mustFind(ctx: Ctx, id: number): Promise<SupportRecord> {
  return requireFound(await findSupportConversation(ctx, id));
}

async function notify(
  ctx: Ctx,
  type: NotificationType,
  { id, userId, agentId }: SupportRecord,
  operatorId?: number,
): Promise<void> {
  const operatorField = operatorId === undefined ? {} : { operatorId };
  await recordNotification(ctx.db, {
    type,
    refType: 'service',
    refId: id,
    userId,
    agentId,
    ...operatorField,
    at: ctx.now,
    now: ctx.now,
  });
}

const rowOf = ({ agentId: _agentId, ...row }: SupportRecord): SupportRow => row;

const auditedFields = ({ state, assignee, unread }: SupportRow) => ({ state, assignee, unread });

const stateConflictOf = ({ state, assignee, updatedAt }: SupportRow): Refused =>
  refuseStateConflict(state === SUPPORT.open ? supportStates[1] : supportStates[0], {
    state,
    by: assignee,
    at: updatedAt,
  });

/** Why a close failed: another operator closed the conversation first, or the user has written since. */
const closeRefusal = (row: SupportRow): Refused =>
  row.state === SUPPORT.closed ? stateConflictOf(row) : refuse(refusals.stateConflict, '会话有新消息，请查看后再关闭');
