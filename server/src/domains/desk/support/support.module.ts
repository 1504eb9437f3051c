import type { Module } from '../../module.ts';
import { unassignIneligible } from './assignee.store.ts';
import { supportReplyDel, supportReplySave } from './reply.service.ts';
import { listReplies } from './reply.store.ts';
import { supportEvents } from './support.events.ts';
import {
  supportAssign,
  supportClose,
  supportDetail,
  supportImage,
  supportMessages,
  supportOpen,
  supportOperators,
  supportRead,
  supportSend,
} from './support.service.ts';
import { closeSupportConversationOf, listSupportConversations } from './support.store.ts';
import { supportWaiting } from './support-waiting.store.ts';

export const supportModule = {
  routes: {
    list: listSupportConversations,
    detail: supportDetail,
    messages: supportMessages,
    image: supportImage,
    operators: supportOperators,
    open: supportOpen,
    send: supportSend,
    close: supportClose,
    assign: supportAssign,
    read: supportRead,
    replies: listReplies,
    replySave: supportReplySave,
    replyDel: supportReplyDel,
  },
  events: supportEvents,
  userTables: [{ table: 'service' }, { table: 'service_message' }],
  onAuthorityLoss: (ctx) => unassignIneligible(ctx),
  userChanges: {
    moved: (ctx, { id }) => unassignIneligible(ctx, id),
    deleted: (ctx, { id }) => closeSupportConversationOf(ctx, id),
  },
  waiting: supportWaiting,
} satisfies Module<'service'>;
