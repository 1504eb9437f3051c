import { refusals } from '@hengtai/contract/refusals';
import { SUPPORT, SUPPORT_IMAGE_MAX, support as calls, supportCan, supportStates } from '@hengtai/contract/support';
import type {
  SupportAssign,
  SupportClose,
  SupportDetail,
  SupportId,
  SupportMessage,
  SupportMessages,
  SupportOpen,
  SupportOperator,
  SupportPage,
  SupportRead,
  SupportRow,
  SupportSend,
} from '@hengtai/contract/support.schema';
import type { NotificationType } from '@hengtai/contract/notify';
import { type InlineImage, isInline, parseInlineImage } from '../kyc/image.ts';
import type { Ctx } from '../context.ts';
import { enqueue } from '../gateway/command.store.ts';
import { defineAction } from '../http/action.ts';
import type { Subject } from '../http/action-audit.ts';
import { recordNotification } from '../notify/notification.store.ts';
import { type Refused, refuse, refuseField, refuseMoved } from '../refuse.ts';
import { findUser } from '../user/user.store.ts';
import { findCustomer } from '../withdraw/withdraw-detail.store.ts';
import { assign, findServers, holdServer, takeOver, unassign } from './assignee.store.ts';
import { findImage, findMessage, messagesOf, numberOf } from './message.store.ts';
import {
  type SupportRecord,
  addMessage,
  closeSupportConversation,
  findSupportConversation,
  openSupportConversation,
  readUpTo,
  takeSupportConversation,
} from './support.store.ts';

const SERVERS_SHOWN = 200;

export async function supportDetail(ctx: Ctx, { id }: SupportId): Promise<SupportDetail> {
  const found = await mustFind(ctx, id);
  const user = await findCustomer(ctx, found.userId);
  if (!user) throw refuse(refusals.notFound);
  return { row: rowOf(found), user };
}

export async function supportMessages(ctx: Ctx, input: SupportMessages): Promise<SupportPage> {
  await mustFind(ctx, input.id);
  return messagesOf(ctx, input);
}

/** A picture that lies here; one that lies at the platform is not fetched from here. */
export async function supportImage(ctx: Ctx, { id }: SupportId): Promise<InlineImage> {
  const picture = parseInlineImage((await findImage(ctx, id)) ?? '');
  if (!picture) throw refuse(refusals.notFound);
  return picture;
}

export async function supportOperators(ctx: Ctx, { id }: SupportId): Promise<SupportOperator[]> {
  await mustFind(ctx, id);
  return findServers(ctx, id, SERVERS_SHOWN);
}

/** The conversation with a user; an operator may write first. */
export const supportOpen = defineAction<SupportOpen, SupportRow, { id: number }>({
  name: 'service.open',
  call: calls.open,
  load: (ctx, { userId }) => findUser(ctx, userId),
  execute: async (ctx, _input, user) => {
    const id = await openSupportConversation(ctx, user.id);
    if (id === undefined) throw refuse(refusals.notFound);
    const row = await mustFind(ctx, id);
    return { data: rowOf(row), subject: subjectOf(row), after: { state: row.state } };
  },
});

/** What is written to a customer. The audit row says who wrote to whom and how much, and does not keep the words twice. */
export const supportSend = defineAction<SupportSend, SupportMessage, SupportRecord>({
  name: 'service.send',
  call: calls.send,
  validate: validateText,
  load: (ctx, { id }) => findSupportConversation(ctx, id),
  execute: async (ctx, { text, image = '' }, target) => {
    const { now } = ctx;
    await holdServer(ctx, ctx.operator.id);
    const taken = await takeSupportConversation(ctx, target);
    if (!taken) throw refuse(refusals.userDeleted);
    const id = await addMessage(ctx.db, taken, { operatorId: ctx.operator.id, text, image, at: now, now });
    if (id === undefined) throw new Error('The insert of a message returned no row.');
    await takeOver(ctx, target.id);
    const data = { no: numberOf(id), account: target.account, text, ...(image === '' ? {} : { image }), at: now };
    await enqueue(ctx.db, { type: 'message.sent', refType: 'message', refId: id, data, now });
    await notificationOf(ctx, 'service.sent', target);
    const message = await findMessage(ctx, id);
    if (!message) throw refuse(refusals.notFound);
    return {
      data: message,
      subject: subjectOf(target),
      after: { messageId: id, characters: text.length, image: image !== '' },
    };
  },
});

/** It says something, by words or by a picture, and what calls itself a picture is one. */
function validateText({ text, image = '' }: SupportSend): void {
  if (image === '' && text.trim() === '')
    throw refuse(refusals.invalid, '请输入消息内容', [{ field: 'text', msg: '请输入消息内容' }]);
  if (image === '') return;
  const picture = isInline(image) ? parseInlineImage(image) : undefined;
  if (!picture) throw refuseField('image', '不是 PNG、JPEG 或 WebP 图片');
  if (picture.bytes.length > SUPPORT_IMAGE_MAX) throw refuseField('image', '不能超过 512 KB');
}

/** Ends a conversation for now; whatever is written next opens it again. */
export const supportClose = defineAction<SupportClose, SupportRow, SupportRecord>({
  name: 'service.close',
  call: calls.close,
  load: (ctx, { id }) => findSupportConversation(ctx, id),
  check: (_ctx, target) => {
    if (!supportCan.close.some((state) => state === target.state)) throw moved(target);
  },
  execute: async (ctx, { id, seen }, target) => {
    if (!(await closeSupportConversation(ctx, id, seen))) throw late(await mustFind(ctx, id));
    await notificationOf(ctx, 'service.closed', target);
    const after = await mustFind(ctx, id);
    return { data: rowOf(after), subject: subjectOf(target), before: kept(target), after: kept(after) };
  },
});

/** Gives a conversation to an operator of one's own tree, or to nobody. */
export const supportAssign = defineAction<SupportAssign, SupportRow, SupportRecord>({
  name: 'service.assign',
  call: calls.assign,
  load: (ctx, { id }) => findSupportConversation(ctx, id),
  execute: async (ctx, { id, operatorId }, target) => {
    if (operatorId === 0) await unassign(ctx, id);
    else {
      if (!(await holdServer(ctx, operatorId))) throw refuse(refusals.notFound);
      if (!(await assign(ctx, id, operatorId))) throw refuseField('operatorId', '不能处理此用户的会话');
    }
    await notificationOf(ctx, 'service.assigned', target);
    const after = await mustFind(ctx, id);
    return { data: rowOf(after), subject: subjectOf(target), before: kept(target), after: kept(after) };
  },
});

/** Marks a conversation as read up to a message; a mark that lies further already stays where it is. */
export const supportRead = defineAction<SupportRead, SupportRow, SupportRecord>({
  name: 'service.read',
  call: calls.read,
  load: (ctx, { id }) => findSupportConversation(ctx, id),
  execute: async (ctx, { id, upTo }, target) => {
    await readUpTo(ctx, id, upTo);
    const after = await mustFind(ctx, id);
    if (after.unread < target.unread) await notificationOf(ctx, 'service.read', target, ctx.operator.id);
    return {
      data: rowOf(after),
      subject: subjectOf(target),
      before: { unread: target.unread },
      after: { unread: after.unread, readTo: upTo },
    };
  },
});

async function mustFind(ctx: Ctx, id: number): Promise<SupportRecord> {
  const found = await findSupportConversation(ctx, id);
  if (!found) throw refuse(refusals.notFound);
  return found;
}

async function notificationOf(
  ctx: Ctx,
  type: NotificationType,
  { id, userId, agentId }: SupportRecord,
  operatorId?: number,
): Promise<void> {
  const who = operatorId === undefined ? {} : { operatorId };
  await recordNotification(ctx.db, {
    type,
    refType: 'service',
    refId: id,
    userId,
    agentId,
    ...who,
    at: ctx.now,
    now: ctx.now,
  });
}

const rowOf = ({ agentId: _agentId, ...row }: SupportRecord): SupportRow => row;

const subjectOf = ({ id, userId, account, agentId }: SupportRecord): Subject => ({
  type: 'service',
  id,
  userId,
  account,
  agentId,
});

const kept = ({ state, assignee, unread }: SupportRow) => ({ state, assignee, unread });

const moved = ({ state, assignee, updatedAt }: SupportRow): Refused =>
  refuseMoved(state === SUPPORT.open ? supportStates[1] : supportStates[0], { state, by: assignee, at: updatedAt });

/** Why it was not closed: somebody was faster, or the customer has written meanwhile. */
const late = (row: SupportRow): Refused =>
  row.state === SUPPORT.closed ? moved(row) : refuse(refusals.moved, '会话有新消息，请查看后再关闭');
