import { channelActions } from './facts.ts';
import type { ChannelList, ChannelRow, ChannelSave, ChannelSaved } from './schema.ts';
import { action, call } from '../../wire/endpoint.ts';
import { type NotificationType, notificationSpecs, notificationTypes } from '../notify/notification.ts';
import type { IdInput } from '../../wire/schema.ts';
import type { EmptyInput } from '../../house/session/schema.ts';

export const CHANNELS_MAX = 10;

/** Headers of a webhook. The signature is the HMAC-SHA256 of `<time>.<body>` in hexadecimal. */
export const WEBHOOK_HEADERS = {
  delivery: 'x-hengtai-delivery',
  time: 'x-hengtai-time',
  signature: 'x-hengtai-signature',
} as const;

/** Type of a test message. */
export const CHANNEL_TEST = 'channel.test';

/** Types that a channel can get. A failure of a channel is not sent, because it would cause the next failure. */
export const channelTypes: readonly NotificationType[] = notificationTypes.filter(
  (type) => !notificationSpecs[type].quiet && type !== 'channel.failed',
);

/** The operator's own channels, on which notifications are sent outside the console. */
export const channel = {
  list: call<EmptyInput, ChannelList>()({
    method: 'GET',
    path: 'channel/list',
    summary: '通知渠道',
    kind: 'read',
  }),
  save: action<ChannelSave, ChannelSaved>()(channelActions.save, 'channel/save', { secretField: 'secret' }),
  test: action<IdInput, ChannelRow>()(channelActions.test, 'channel/test'),
  del: action<IdInput, null>()(channelActions.del, 'channel/del'),
};
