import { type Static, Type } from '@sinclair/typebox';
import {
  Customer,
  FilledText,
  Id,
  Int,
  Ms,
  Name,
  EmptyInput,
  Nullable,
  Reason,
  Strict,
  Switch,
  Text,
  page,
  IdInput,
} from '../../wire/schema.ts';
import {
  REPLY_TITLE_MAX,
  SUPPORT_IMAGE_BYTES_MAX,
  SUPPORT_MESSAGES_MAX,
  SUPPORT_SENT_MAX,
} from '../../wire/input-values.ts';

const Row = Type.Object({
  id: Id,
  userId: Id,
  account: Type.String(),
  agent: Type.String(),
  state: Int,
  assigned: Switch,
  assigneeId: Nullable(Id),
  assignee: Nullable(Type.String({ description: "assigned operator; null if none, or if outside the caller's tree" })),
  unread: Type.Integer({ minimum: 0, description: "the user's messages that no operator has marked as read" }),
  lastId: Nullable(Type.Integer({ description: 'id of the last message' })),
  lastText: Type.String({ description: 'start of the last message; empty for a picture without text' }),
  lastSide: Int,
  lastAt: Ms,
  createdAt: Ms,
  updatedAt: Ms,
});
export type SupportRow = Static<typeof Row>;

const Message = Type.Object({
  id: Id,
  serviceId: Id,
  no: Type.String({
    description: "the platform's number, or for an operator's message the number sent to the platform",
  }),
  side: Int,
  text: Type.String({ description: 'plain text; never HTML' }),
  image: Type.String({ description: 'path of the call for the picture, or an address at the platform; empty: none' }),
  by: Nullable(
    Type.String({
      description: "operator who wrote it; null for the user, and for an operator outside the caller's tree",
    }),
  ),
  delivery: Nullable(
    Type.Integer({ description: "state of the command that delivers it; null for the user's messages" }),
  ),
  fault: Type.String({ description: 'why the platform could not deliver it' }),
  createdAt: Ms,
});
export type SupportMessage = Static<typeof Message>;

const Messages = Type.Object({
  list: Type.Array(Message, { description: 'oldest first' }),
  more: Type.Boolean({ description: 'whether there are more in the requested direction' }),
});
export type SupportPage = Static<typeof Messages>;

const MessagesQuery = Strict({
  id: Id,
  before: Type.Optional(Type.Integer({ ...Id, description: 'only messages older than this one' })),
  after: Type.Optional(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'only messages newer than this one' }),
  ),
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: SUPPORT_MESSAGES_MAX })),
});
export type SupportMessages = Static<typeof MessagesQuery>;

const Detail = Type.Object({
  row: Row,
  user: Customer,
});
export type SupportDetail = Static<typeof Detail>;

const Operator = Type.Object({ id: Id, account: Type.String(), open: Int });
export type SupportOperator = Static<typeof Operator>;

const Open = Strict({ userId: Id });
export type SupportOpen = Static<typeof Open>;

/** Characters of the data: URL. */
const IMAGE_TEXT_MAX = Math.ceil(SUPPORT_IMAGE_BYTES_MAX / 3) * 4 + 32;
const Send = Strict({
  id: Id,
  text: Text(SUPPORT_SENT_MAX),
  image: Type.Optional(
    Type.String({
      maxLength: IMAGE_TEXT_MAX,
      pattern: '^data:image/(png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$',
    }),
  ),
});
export type SupportSend = Static<typeof Send>;

const Close = Strict({
  id: Id,
  seen: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'the last message seen, 0 for none; 409 if a newer one exists',
    }),
  ),
  reason: Type.Optional(Reason),
});
export type SupportClose = Static<typeof Close>;

const Assign = Strict({
  id: Id,
  operatorId: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'operator to assign; 0: nobody',
  }),
  reason: Type.Optional(Reason),
});
export type SupportAssign = Static<typeof Assign>;

const Read = Strict({ id: Id, upTo: Type.Integer({ ...Id, description: 'the last message seen' }) });
export type SupportRead = Static<typeof Read>;

const Reply = Type.Object({
  id: Id,
  title: Type.String(),
  text: Type.String(),
  shared: Switch,
  mine: Switch,
  by: Nullable(Type.String({ description: 'its owner; null if the owner is above the caller' })),
  updatedAt: Ms,
});
export type SupportReply = Static<typeof Reply>;

const ReplySave = Strict({
  id: Type.Optional(Id),
  title: Name(REPLY_TITLE_MAX),
  text: FilledText(SUPPORT_SENT_MAX),
  shared: Switch,
});
export type SupportReplySave = Static<typeof ReplySave>;
export type SupportReplyDel = IdInput;

export const supportSchemas = {
  list: { output: page(Row) },
  detail: { input: IdInput, output: Detail },
  messages: { input: MessagesQuery, output: Messages },
  image: { input: IdInput, output: Type.Null() },
  operators: { input: IdInput, output: Type.Array(Operator) },
  open: { input: Open, output: Row },
  send: { input: Send, output: Message },
  close: { input: Close, output: Row },
  assign: { input: Assign, output: Row },
  read: { input: Read, output: Row },
  replies: { input: EmptyInput, output: Type.Array(Reply) },
  replySave: { input: ReplySave, output: Reply },
  replyDel: { input: IdInput, output: Type.Null() },
};
