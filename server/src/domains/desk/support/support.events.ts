import { isDataUrl, parseInlineImage } from '../../risk/kyc/image.rules.ts';
import type { EventHandlers } from '../../../gateway/handlers.ts';
import { mustFindUser } from '../../../gateway/lookup.store.ts';
import { reject, rejectField } from '../../../gateway/rejected.ts';
import { recordNotification } from '../../../actions/notification.store.ts';
import { addMessage, lockOrCreateConversation } from './support.store.ts';

export const supportEvents: EventHandlers<'message.received'> = {
  // Stores text and image unchanged, and opens a new conversation or reopens a closed one.
  'message.received': async ({ batch, db, at, now }, { no, account, text, image = '' }) => {
    if (text.trim() === '' && image === '') throw rejectField('text', 'text or an image');
    if (isDataUrl(image) && !parseInlineImage(image)) throw rejectField('image', 'an image of an accepted type');
    const user = await mustFindUser(batch, account);
    const conversation = await lockOrCreateConversation(db, user, at, now);
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
