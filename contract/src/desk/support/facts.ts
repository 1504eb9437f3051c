import { ABILITY } from '../../authority/ability.ts';
import type { ActionTable, NounFacts } from '../../authority/action.ts';

export const SUPPORT = { closed: 0, open: 1 } as const;
export const supportStates = { 1: '进行中', 0: '已关闭' } as const;

const onConversation = { ability: ABILITY.users, target: 'service', guard: 'none' } as const;

export const supportActions = {
  open: { summary: '打开会话', ability: ABILITY.users, target: 'user', audit: '打开客服会话', guard: 'none' },
  send: { ...onConversation, summary: '发送客服消息' },
  close: { ...onConversation, summary: '关闭会话', from: [1], reason: 'optional', audit: '关闭客服会话' },
  assign: { ...onConversation, summary: '分配会话', reason: 'optional', audit: '分配客服会话' },
  read: { ...onConversation, summary: '标记已读', audit: '标记客服消息已读' },
  replySave: { summary: '保存快捷回复', ability: ABILITY.users, target: 'reply', guard: 'none' },
  replyDel: { summary: '删除快捷回复', ability: ABILITY.users, target: 'reply', guard: 'none' },
} as const satisfies ActionTable;

export const supportFacts = {
  actions: supportActions,
  targets: {
    service: { label: '客服会话', path: '/service?open={id}', states: supportStates },
    message: { label: '客服消息' },
    reply: { label: '快捷回复' },
  },
  notifications: {
    'service.received': { label: '新客服消息', rings: true },
    'service.sent': { label: '客服已回复' },
    'service.closed': { label: '客服会话已关闭' },
    'service.assigned': { label: '客服会话已分配' },
    'service.read': { label: '客服会话已读', quiet: true },
  },
  waiting: {
    /** Conversations with unread messages from the user. */
    serviceUnread: {
      label: '未读客服会话',
      query: '?unread=1',
      ability: ABILITY.users,
      queue: { targetMinutes: 10 },
    },
  },
} as const satisfies NounFacts;
