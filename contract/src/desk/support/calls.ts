import type { IdInput } from '../../wire/schema.ts';
import { supportStates, supportActions } from './facts.ts';
import { ABILITY } from '../../authority/ability.ts';
import { actionStatesOf } from '../../authority/action.ts';
import { action, call, listCall, read } from '../../wire/endpoint.ts';
import type { EmptyInput } from '../../house/session/schema.ts';
import type {
  SupportAssign,
  SupportClose,
  SupportDetail,
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
} from './schema.ts';

export type SupportState = keyof typeof supportStates;

/** Who wrote a message. */
export const SUPPORT_SIDE = { user: 1, operator: 2 } as const;
const supportSides = { 0: '暂无消息', 1: '用户', 2: '客服' } as const;

/** States in which each action is allowed. The server enforces them, the console disables buttons by them. */
export const supportActionStates = actionStatesOf(supportActions) satisfies Record<string, readonly SupportState[]>;

/** Characters of a customer's message, and of an operator's. */
export const SUPPORT_RECEIVED_MAX = 10_000;
export const SUPPORT_MESSAGES_SIZE = 50;

export const REPLIES_MAX = 200;

/** Placeholders of a canned reply. The sender sees the filled text before sending. */
export const replyPlaceholders = ['账号', '用户编号', '代理', '客服'] as const;
export type ReplyPlaceholder = (typeof replyPlaceholders)[number];

/** Fills the placeholders of a canned reply. Unknown placeholders and other braces stay unchanged. */
export const fillReply = (text: string, values: Partial<Record<ReplyPlaceholder, string>>): string =>
  text.replaceAll(/\{([^{}]{1,8})\}/g, (match, name: string) =>
    Object.hasOwn(values, name) ? (values[name as ReplyPlaceholder] ?? match) : match,
  );

const yesNo = { 1: '是', 0: '否' } as const;

const list = {
  filters: [
    { field: 'account', label: '账号', kind: 'part', type: 'text' },
    { field: 'agent', label: '所属代理', kind: 'agent', type: 'text' },
    { field: 'agentRoot', label: '代理及下级', kind: 'subtree', type: 'text' },
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: supportStates },
    { field: 'unread', label: '未读', kind: 'eq', type: 'int', options: { 1: '有未读', 0: '无未读' } },
    { field: 'mine', label: '由我处理', kind: 'eq', type: 'int', options: yesNo },
    { field: 'assigned', label: '已分配', kind: 'eq', type: 'int', options: yesNo, more: true },
    { field: 'assignee', label: '处理人', kind: 'prefix', type: 'text', more: true },
    { field: 'userId', label: '用户编号', kind: 'eq', type: 'id', more: true },
    { field: 'id', label: '编号', kind: 'eq', type: 'id', more: true },
  ],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'state', title: '状态', kind: 'state', labels: supportStates },
    { field: 'account', title: '账号', kind: 'user' },
    { field: 'unread', title: '未读', kind: 'count' },
    { field: 'lastText', title: '最后消息', kind: 'text' },
    { field: 'lastSide', title: '最后发言', kind: 'state', labels: supportSides },
    { field: 'lastAt', title: '最后时间', kind: 'time' },
    { field: 'assignee', title: '处理人', kind: 'text' },
    { field: 'agent', title: '所属代理', kind: 'agent' },
    { field: 'createdAt', title: '创建时间', kind: 'time' },
    { field: 'updatedAt', title: '更新时间', kind: 'time' },
    { field: 'userId', title: '用户编号', kind: 'id' },
  ],
  /** `turn`: unread conversations first, then by last message. */
  sortable: ['turn', 'lastAt', 'unread'],
} as const;

const byUsersAbility = { ability: ABILITY.users } as const;

export const support = {
  list: listCall<SupportRow>()('service/list', '客服会话', list),
  detail: read<IdInput, SupportDetail>()('service/detail', '客服会话详情', { target: 'service' }),
  messages: read<SupportMessages, SupportPage>()('service/messages', '客服消息', { target: 'service' }),
  image: call<IdInput, null>()({
    method: 'GET',
    path: 'service/image',
    summary: '客服消息图片',
    kind: 'image',
    target: 'message',
    targetBy: 'id',
  }),
  operators: read<IdInput, SupportOperator[]>()('service/operators', '可处理会话的操作员', {
    ...byUsersAbility,
    target: 'service',
  }),
  /** Opens the conversation with a user; creates it if there is none. */
  open: action<SupportOpen, SupportRow>()(supportActions.open, 'service/open', { targetBy: 'userId' }),
  send: action<SupportSend, SupportMessage>()(supportActions.send, 'service/send'),
  close: action<SupportClose, SupportRow>()(supportActions.close, 'service/close'),
  assign: action<SupportAssign, SupportRow>()(supportActions.assign, 'service/assign'),
  read: action<SupportRead, SupportRow>()(supportActions.read, 'service/read'),
  replies: read<EmptyInput, SupportReply[]>()('service/reply/list', '快捷回复', { ...byUsersAbility }),
  replySave: action<SupportReplySave, SupportReply>()(supportActions.replySave, 'service/reply/save', {
    record: 'replies',
  }),
  replyDel: action<SupportReplyDel, null>()(supportActions.replyDel, 'service/reply/del'),
};
