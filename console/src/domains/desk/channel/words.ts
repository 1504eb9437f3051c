import type { ChannelRow } from '@hengtai/contract/desk/channel/schema';
import type { ChannelKind } from '@hengtai/contract/wire/input-values';
import { type NotificationType, notificationSpecs } from '@hengtai/contract/desk/notify/notification';

export const typeLabels = ({ types }: Pick<ChannelRow, 'types'>): string[] =>
  types.map((type) => notificationSpecs[type as NotificationType]?.label ?? type);

/** What the address of each kind is called, and an example. */
export const addressWords: Readonly<Record<ChannelKind, { label: string; example: string }>> = {
  webhook: { label: '地址', example: 'https://hooks.example.com/in' },
  mail: { label: '邮箱', example: 'duty@example.com' },
  telegram: { label: '会话', example: '-1001234567890 或 @频道名' },
  feishu: { label: '机器人地址', example: 'https://open.feishu.cn/open-apis/bot/v2/hook/…' },
};

export function stateOf({ enabled, failedAt, error }: ChannelRow): {
  text: string;
  tone: 'good' | 'bad' | 'idle' | 'warn';
} {
  if (enabled === 0) return { text: '已停用', tone: 'idle' };
  if (failedAt !== null) return { text: '发送失败', tone: 'bad' };
  return error === '' ? { text: '正常', tone: 'good' } : { text: '重试中', tone: 'warn' };
}
