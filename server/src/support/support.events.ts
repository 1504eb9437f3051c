import { isInline, parseInlineImage } from '../kyc/image.ts';
import type { EventHandlers } from '../gateway/events.ts';
import { mustFindUser } from '../gateway/lookup.store.ts';
import { reject } from '../gateway/rejected.ts';
import { recordNotification } from '../notify/notification.store.ts';
import { addMessage, begin } from './support.store.ts';

export const supportEvents: EventHandlers<'message.received'> = {
  /** Kept as it came: plain text, and a picture that is one. It opens a conversation, and a closed one again. */
  'message.received': async ({ db, at, now }, { no, account, text, image = '' }) => {
    if (text.trim() === '' && image === '') throw reject('invalid', 'text');
    if (isInline(image) && !parseInlineImage(image)) throw reject('invalid', 'image');
    const user = await mustFindUser(db, account);
    const conversation = await begin(db, user, at, now);
    const id = await addMessage(db, conversation, { no, text, image, at, now });
    if (id === undefined) throw reject('exists');
    const { id: userId, agentId } = user;
    await recordNotification(db, {
      type: 'service.received',
      refType: 'service',
      refId: conversation.id,
      userId,
      agentId,
      at,
      now,
    });
  },
};
