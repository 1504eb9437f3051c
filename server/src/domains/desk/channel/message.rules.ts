import { CHANNEL_TEST } from '@hengtai/contract/desk/channel/calls';
import { type NotificationType, notificationSpecs } from '@hengtai/contract/desk/notify/notification';
import { FOUR_EYES_PATH, targets } from '@hengtai/contract/authority/target';
import type { NotificationCount } from '../../../realtime/notify.store.ts';
import { wallClock } from '../../../books/exports/wall-clock.ts';

/** What is sent outside the console: the kind of the notification, its number, times and a link. No account, amount or address. */
export interface Message {
  id: string;
  type: string;
  title: string;
  count: number;
  firstAt: number;
  lastAt: number;
  link: string | null;
}

/** Pages of notifications that concern no record. Exports are in a panel of the header. */
const PATHS: Readonly<Record<string, string>> = {
  export: '/channel?exports=1',
  credential: '/session',
  fourEyes: FOUR_EYES_PATH,
};

/** The page of the record, or of the list if the message counts several. */
function pathOf({ type, refType, refId, count }: NotificationCount): string {
  if (Object.hasOwn(PATHS, refType)) return PATHS[refType] ?? '/channel';
  const path = Object.hasOwn(targets, refType) ? targets[refType]?.path : undefined;
  if (path === undefined || type === CHANNEL_TEST) return '/channel';
  return count === 1 ? path.replace('{id}', String(refId)) : (path.split('?')[0] ?? path);
}

const titleOf = (type: string): string =>
  type === CHANNEL_TEST ? '测试消息' : (notificationSpecs[type as NotificationType]?.label ?? '新通知');

export function messageOf(delivery: NotificationCount & { id: string }, publicUrl: string | undefined): Message {
  const { id, type, count, firstAt, lastAt } = delivery;
  const link = publicUrl === undefined ? null : `${publicUrl}${pathOf(delivery)}`;
  return { id, type, title: titleOf(type), count, firstAt, lastAt, link };
}

/** The message as text for people, with times of the platform's zone. */
export function messageText({ title, count, firstAt, lastAt, link }: Message, zone: string): string {
  const { text } = wallClock(zone);
  const period = firstAt === lastAt ? text(lastAt) : `${text(firstAt)} 至 ${text(lastAt)}`;
  return [
    `【衡台】${title}${count > 1 ? ` ${count} 条` : ''}`,
    `时间：${period}（${zone}）`,
    ...(link ? [link] : []),
  ].join('\n');
}
