import { refusals } from '@hengtai/contract/refusals';
import { SERVICE, SERVICE_IMAGE_MAX, service as calls, serviceCan, serviceStates } from '@hengtai/contract/service';
import type {
  ServiceAssign,
  ServiceClose,
  ServiceDetail,
  ServiceId,
  ServiceMessage,
  ServiceMessages,
  ServiceOpen,
  ServiceOperator,
  ServicePage,
  ServiceRead,
  ServiceRow,
  ServiceSend,
} from '@hengtai/contract/service.schema';
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
  type ServiceRecord,
  addMessage,
  closeService,
  findService,
  openService,
  readUpTo,
  takeService,
} from './service.store.ts';

const SERVERS_SHOWN = 200;

export async function serviceDetail(ctx: Ctx, { id }: ServiceId): Promise<ServiceDetail> {
  const found = await mustFind(ctx, id);
  const user = await findCustomer(ctx, found.userId);
  if (!user) throw refuse(refusals.notFound);
  return { row: rowOf(found), user };
}

export async function serviceMessages(ctx: Ctx, input: ServiceMessages): Promise<ServicePage> {
  await mustFind(ctx, input.id);
  return messagesOf(ctx, input);
}

/** A picture that lies here; one that lies at the platform is not fetched from here. */
export async function serviceImage(ctx: Ctx, { id }: ServiceId): Promise<InlineImage> {
  const picture = parseInlineImage((await findImage(ctx, id)) ?? '');
  if (!picture) throw refuse(refusals.notFound);
  return picture;
}

export async function serviceOperators(ctx: Ctx, { id }: ServiceId): Promise<ServiceOperator[]> {
  await mustFind(ctx, id);
  return findServers(ctx, id, SERVERS_SHOWN);
}

/** The conversation with a user; an operator may write first. */
export const serviceOpen = defineAction<ServiceOpen, ServiceRow, { id: number }>({
  name: 'service.open',
  call: calls.open,
  load: (ctx, { userId }) => findUser(ctx, userId),
  execute: async (ctx, _input, user) => {
    const id = await openService(ctx, user.id);
    if (id === undefined) throw refuse(refusals.notFound);
    const row = await mustFind(ctx, id);
    return { data: rowOf(row), subject: subjectOf(row), after: { state: row.state } };
  },
});

/** What is written to a customer. The audit row says who wrote to whom and how much, and does not keep the words twice. */
export const serviceSend = defineAction<ServiceSend, ServiceMessage, ServiceRecord>({
  name: 'service.send',
  call: calls.send,
  validate: validateText,
  load: (ctx, { id }) => findService(ctx, id),
  execute: async (ctx, { text, image = '' }, target) => {
    const { now } = ctx;
    await holdServer(ctx, ctx.operator.id);
    const taken = await takeService(ctx, target);
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
function validateText({ text, image = '' }: ServiceSend): void {
  if (image === '' && text.trim() === '')
    throw refuse(refusals.invalid, '请输入消息内容', [{ field: 'text', msg: '请输入消息内容' }]);
  if (image === '') return;
  const picture = isInline(image) ? parseInlineImage(image) : undefined;
  if (!picture) throw refuseField('image', '不是 PNG、JPEG 或 WebP 图片');
  if (picture.bytes.length > SERVICE_IMAGE_MAX) throw refuseField('image', '不能超过 512 KB');
}

/** Ends a conversation for now; whatever is written next opens it again. */
export const serviceClose = defineAction<ServiceClose, ServiceRow, ServiceRecord>({
  name: 'service.close',
  call: calls.close,
  load: (ctx, { id }) => findService(ctx, id),
  check: (_ctx, target) => {
    if (!serviceCan.close.some((state) => state === target.state)) throw moved(target);
  },
  execute: async (ctx, { id, seen }, target) => {
    if (!(await closeService(ctx, id, seen))) throw late(await mustFind(ctx, id));
    await notificationOf(ctx, 'service.closed', target);
    const after = await mustFind(ctx, id);
    return { data: rowOf(after), subject: subjectOf(target), before: kept(target), after: kept(after) };
  },
});

/** Gives a conversation to an operator of one's own tree, or to nobody. */
export const serviceAssign = defineAction<ServiceAssign, ServiceRow, ServiceRecord>({
  name: 'service.assign',
  call: calls.assign,
  load: (ctx, { id }) => findService(ctx, id),
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
export const serviceRead = defineAction<ServiceRead, ServiceRow, ServiceRecord>({
  name: 'service.read',
  call: calls.read,
  load: (ctx, { id }) => findService(ctx, id),
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

async function mustFind(ctx: Ctx, id: number): Promise<ServiceRecord> {
  const found = await findService(ctx, id);
  if (!found) throw refuse(refusals.notFound);
  return found;
}

async function notificationOf(
  ctx: Ctx,
  type: NotificationType,
  { id, userId, agentId }: ServiceRecord,
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

const rowOf = ({ agentId: _agentId, ...row }: ServiceRecord): ServiceRow => row;

const subjectOf = ({ id, userId, account, agentId }: ServiceRecord): Subject => ({
  type: 'service',
  id,
  userId,
  account,
  agentId,
});

const kept = ({ state, assignee, unread }: ServiceRow) => ({ state, assignee, unread });

const moved = ({ state, assignee, updatedAt }: ServiceRow): Refused =>
  refuseMoved(state === SERVICE.open ? serviceStates[1] : serviceStates[0], { state, by: assignee, at: updatedAt });

/** Why it was not closed: somebody was faster, or the customer has written meanwhile. */
const late = (row: ServiceRow): Refused =>
  row.state === SERVICE.closed ? moved(row) : refuse(refusals.moved, '会话有新消息，请查看后再关闭');
