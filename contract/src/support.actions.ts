import { ABILITY } from './ability.ts';
import type { ActionTable } from './action.ts';

export const supportActions = {
  open: { summary: '打开会话', ability: ABILITY.users, target: 'user', audit: '打开客服会话', guard: 'none' },
  send: { summary: '发送客服消息', ability: ABILITY.users, target: 'service', guard: 'none' },
  close: {
    summary: '关闭会话',
    ability: ABILITY.users,
    target: 'service',
    from: [1],
    reason: 'optional',
    audit: '关闭客服会话',
    guard: 'none',
  },
  assign: {
    summary: '分配会话',
    ability: ABILITY.users,
    target: 'service',
    reason: 'optional',
    audit: '分配客服会话',
    guard: 'none',
  },
  read: { summary: '标记已读', ability: ABILITY.users, target: 'service', audit: '标记客服消息已读', guard: 'none' },
  replySave: { summary: '保存快捷回复', ability: ABILITY.users, target: 'reply', guard: 'none' },
  replyDel: { summary: '删除快捷回复', ability: ABILITY.users, target: 'reply', guard: 'none' },
} as const satisfies ActionTable;
