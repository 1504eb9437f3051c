import { ABILITY } from './ability.ts';
import { call } from './endpoint.ts';
import type { ListInput, Page } from './list.ts';
import type {
  SupportAssign,
  SupportClose,
  SupportDetail,
  SupportId,
  SupportMessages,
  SupportOpen,
  SupportOperator,
  SupportPage,
  SupportRead,
  SupportReply,
  SupportReplyDel,
  SupportReplySave,
  SupportRow,
  SupportSend,
  SupportMessage,
} from './support.schema.ts';
import type { Nothing } from './session.schema.ts';

export const SUPPORT = { closed: 0, open: 1 } as const;
export const supportStates = { 1: '进行中', 0: '已关闭' } as const;
export type SupportState = keyof typeof supportStates;

/** Who wrote a message. */
export const SIDE = { user: 1, operator: 2 } as const;
export const supportSides = { 0: '暂无消息', 1: '用户', 2: '客服' } as const;

/** Which action is open in which states; the server enforces it, the console greys out by it. */
export const supportCan = { close: [1] } as const satisfies Record<string, readonly SupportState[]>;

/** Characters of a customer's message, and of an operator's. */
export const SUPPORT_RECEIVED_MAX = 10_000;
export const SUPPORT_SENT_MAX = 2_000;
/** A picture that an operator sends, in bytes; the platform's are as large as photographs of documents. */
export const SUPPORT_IMAGE_MAX = 524_288;
export const SUPPORT_MESSAGES_SIZE = 50;
export const SUPPORT_MESSAGES_MAX = 200;

export const REPLIES_MAX = 200;
export const REPLY_TITLE_MAX = 20;

/** Placeholders of a canned reply; the sender sees the filled text before it is sent. */
export const replyBlanks = ['账号', '用户编号', '代理', '客服'] as const;
export type ReplyBlank = (typeof replyBlanks)[number];

/** A canned reply with its blanks filled in. What is not known, and what is no blank, stays as it stands. */
export const fillReply = (text: string, known: Partial<Record<ReplyBlank, string>>): string =>
  text.replaceAll(/\{([^{}]{1,8})\}/g, (whole, blank: string) =>
    Object.hasOwn(known, blank) ? (known[blank as ReplyBlank] ?? whole) : whole,
  );

const yesNo = { 1: '是', 0: '否' } as const;

const list = {
  filters: [
    { field: 'account', label: '账号', kind: 'prefix', type: 'text' },
    { field: 'agent', label: '所属代理', kind: 'agent', type: 'text' },
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: supportStates },
    { field: 'unread', label: '未读', kind: 'eq', type: 'int', options: { 1: '有未读', 0: '无未读' } },
    { field: 'mine', label: '由我处理', kind: 'eq', type: 'int', options: yesNo },
    { field: 'assigned', label: '已分配', kind: 'eq', type: 'int', options: yesNo, more: true },
    { field: 'assignee', label: '处理人', kind: 'prefix', type: 'text', more: true },
    { field: 'agentRoot', label: '代理及下级', kind: 'subtree', type: 'text', more: true },
    { field: 'userId', label: '用户编号', kind: 'eq', type: 'id', more: true },
    { field: 'id', label: '编号', kind: 'eq', type: 'id', more: true },
  ],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'state', title: '状态', kind: 'state', labels: supportStates },
    { field: 'account', title: '账号', kind: 'text' },
    { field: 'unread', title: '未读', kind: 'count' },
    { field: 'lastText', title: '最后消息', kind: 'text' },
    { field: 'lastSide', title: '最后发言', kind: 'state', labels: supportSides },
    { field: 'lastAt', title: '最后时间', kind: 'time' },
    { field: 'assignee', title: '处理人', kind: 'text' },
    { field: 'agent', title: '所属代理', kind: 'text' },
    { field: 'createdAt', title: '创建时间', kind: 'time' },
    { field: 'updatedAt', title: '更新时间', kind: 'time' },
    { field: 'userId', title: '用户编号', kind: 'id' },
  ],
  /** `turn`: what is unread first, among those and among the others by their last message. */
  sortable: ['turn', 'lastAt', 'unread'],
} as const;

const named = { target: 'service', targetBy: 'id' } as const;
const able = { ability: ABILITY.users } as const;
const mutation = { method: 'POST', kind: 'action', ...able, ...named } as const;

export const support = {
  list: call<ListInput<typeof list>, Page<SupportRow>>()({
    method: 'GET',
    path: 'service/list',
    summary: '客服会话',
    kind: 'list',
    list,
  }),
  detail: call<SupportId, SupportDetail>()({
    method: 'GET',
    path: 'service/detail',
    summary: '客服会话详情',
    kind: 'read',
    ...named,
  }),
  messages: call<SupportMessages, SupportPage>()({
    method: 'GET',
    path: 'service/messages',
    summary: '客服消息',
    kind: 'read',
    ...named,
  }),
  image: call<SupportId, null>()({
    method: 'GET',
    path: 'service/image',
    summary: '客服消息图片',
    kind: 'image',
    target: 'message',
    targetBy: 'id',
  }),
  operators: call<SupportId, SupportOperator[]>()({
    method: 'GET',
    path: 'service/operators',
    summary: '可处理会话的操作员',
    kind: 'read',
    ...able,
    ...named,
  }),
  /** The conversation with a user, begun where there is none yet. */
  open: call<SupportOpen, SupportRow>()({
    method: 'POST',
    path: 'service/open',
    summary: '打开会话',
    kind: 'action',
    ...able,
    target: 'user',
    targetBy: 'userId',
  }),
  send: call<SupportSend, SupportMessage>()({ ...mutation, path: 'service/send', summary: '发送客服消息' }),
  close: call<SupportClose, SupportRow>()({
    ...mutation,
    path: 'service/close',
    summary: '关闭会话',
    reason: 'optional',
  }),
  assign: call<SupportAssign, SupportRow>()({
    ...mutation,
    path: 'service/assign',
    summary: '分配会话',
    reason: 'optional',
  }),
  read: call<SupportRead, SupportRow>()({ ...mutation, path: 'service/read', summary: '标记已读' }),
  replies: call<Nothing, SupportReply[]>()({
    method: 'GET',
    path: 'service/reply/list',
    summary: '快捷回复',
    kind: 'read',
    ...able,
  }),
  replySave: call<SupportReplySave, SupportReply>()({
    method: 'POST',
    path: 'service/reply/save',
    summary: '保存快捷回复',
    kind: 'action',
    ...able,
    target: 'reply',
    targetBy: 'id',
  }),
  replyDel: call<SupportReplyDel, null>()({
    method: 'POST',
    path: 'service/reply/del',
    summary: '删除快捷回复',
    kind: 'action',
    ...able,
    target: 'reply',
    targetBy: 'id',
  }),
};
