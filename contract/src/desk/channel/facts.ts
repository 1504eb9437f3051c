import type { ActionTable, NounFacts } from '../../authority/action.ts';

export const channelActions = {
  save: { summary: '保存通知渠道', target: 'channel', fresh: true, guard: 'none' },
  test: { summary: '发送测试消息', target: 'channel', guard: 'none' },
  del: { summary: '删除通知渠道', target: 'channel', danger: true, guard: 'none' },
} as const satisfies ActionTable;

export const channelFacts = {
  actions: channelActions,
  targets: { channel: { label: '通知渠道', path: '/channel' } },
  notifications: { 'channel.failed': { label: '通知渠道发送失败', rings: true } },
} as const satisfies NounFacts;
