import { type Static, Type } from '@sinclair/typebox';
import {
  Customer,
  FilledText,
  Id,
  Int,
  Ms,
  Name,
  Nothing,
  Nullable,
  Reason,
  Strict,
  Switch,
  Text,
  endpoint,
  listEndpoint,
  page,
} from './schema.ts';
import { REPLY_TITLE_MAX, SERVICE_IMAGE_MAX, SERVICE_MESSAGES_MAX, SERVICE_SENT_MAX, service } from './service.ts';

const Row = Type.Object({
  id: Id,
  userId: Id,
  account: Type.String(),
  agent: Type.String(),
  state: Int,
  assigned: Switch,
  assigneeId: Nullable(Id),
  assignee: Nullable(
    Type.String({ description: 'who deals with it; null also where that one is not of the own tree' }),
  ),
  unread: Type.Integer({ minimum: 0, description: "the user's messages that no operator has marked as read" }),
  lastId: Nullable(Type.Integer({ description: 'of the last message' })),
  lastText: Type.String({ description: 'how the last message begins; empty where it is a picture alone' }),
  lastSide: Int,
  lastAt: Ms,
  createdAt: Ms,
  updatedAt: Ms,
});
export type ServiceRow = Static<typeof Row>;

const Message = Type.Object({
  id: Id,
  serviceId: Id,
  no: Type.String({ description: "the platform's number, or that under which it was told" }),
  side: Int,
  text: Type.String({ description: 'plain text; never HTML' }),
  image: Type.String({ description: 'call that answers the picture, or an address of the platform; empty: none' }),
  by: Nullable(Type.String({ description: 'who wrote it; null for the user, and where it is not of the own tree' })),
  delivery: Nullable(
    Type.Integer({ description: "state of the command that tells the platform; null for the user's" }),
  ),
  fault: Type.String({ description: 'why the platform could not deliver it' }),
  createdAt: Ms,
});
export type ServiceMessage = Static<typeof Message>;

const Messages = Type.Object({
  list: Type.Array(Message, { description: 'in the order in which they were written' }),
  more: Type.Boolean({ description: 'there are further ones in the direction that was asked for' }),
});
export type ServicePage = Static<typeof Messages>;

const ById = Strict({ id: Id });
export type ServiceId = Static<typeof ById>;

const MessagesQuery = Strict({
  id: Id,
  before: Type.Optional(Type.Integer({ ...Id, description: 'only messages older than this one' })),
  after: Type.Optional(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'only messages newer than this one' }),
  ),
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: SERVICE_MESSAGES_MAX })),
});
export type ServiceMessages = Static<typeof MessagesQuery>;

const Detail = Type.Object({
  row: Row,
  user: Customer,
});
export type ServiceDetail = Static<typeof Detail>;

const Operator = Type.Object({ id: Id, account: Type.String(), open: Int });
export type ServiceOperator = Static<typeof Operator>;

const Open = Strict({ userId: Id });
export type ServiceOpen = Static<typeof Open>;

/** In base64, with its head. */
const IMAGE_TEXT_MAX = Math.ceil(SERVICE_IMAGE_MAX / 3) * 4 + 32;
const Send = Strict({
  id: Id,
  text: Text(SERVICE_SENT_MAX),
  image: Type.Optional(
    Type.String({
      maxLength: IMAGE_TEXT_MAX,
      pattern: '^data:image/(png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$',
    }),
  ),
});
export type ServiceSend = Static<typeof Send>;

const Close = Strict({
  id: Id,
  seen: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'the last message that was seen, 0 for none; 409 when another one has come since',
    }),
  ),
  reason: Type.Optional(Reason),
});
export type ServiceClose = Static<typeof Close>;

const Assign = Strict({
  id: Id,
  operatorId: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'who deals with it from now on; 0: nobody',
  }),
  reason: Type.Optional(Reason),
});
export type ServiceAssign = Static<typeof Assign>;

const Read = Strict({ id: Id, upTo: Type.Integer({ ...Id, description: 'the last message that was seen' }) });
export type ServiceRead = Static<typeof Read>;

const Reply = Type.Object({
  id: Id,
  title: Type.String(),
  text: Type.String(),
  shared: Switch,
  mine: Switch,
  by: Nullable(Type.String({ description: 'its owner, unless that one stands above' })),
  updatedAt: Ms,
});
export type ServiceReply = Static<typeof Reply>;

const ReplySave = Strict({
  id: Type.Optional(Id),
  title: Name(REPLY_TITLE_MAX),
  text: FilledText(SERVICE_SENT_MAX),
  shared: Switch,
});
export type ServiceReplySave = Static<typeof ReplySave>;
export type ServiceReplyDel = ServiceId;

export const serviceEndpoints = {
  list: listEndpoint(service.list, page(Row)),
  detail: endpoint(service.detail, ById, Detail),
  messages: endpoint(service.messages, MessagesQuery, Messages),
  image: endpoint(service.image, ById, Type.Null()),
  operators: endpoint(service.operators, ById, Type.Array(Operator)),
  open: endpoint(service.open, Open, Row),
  send: endpoint(service.send, Send, Message),
  close: endpoint(service.close, Close, Row),
  assign: endpoint(service.assign, Assign, Row),
  read: endpoint(service.read, Read, Row),
  replies: endpoint(service.replies, Nothing, Type.Array(Reply)),
  replySave: endpoint(service.replySave, ReplySave, Reply),
  replyDel: endpoint(service.replyDel, ById, Type.Null()),
};
