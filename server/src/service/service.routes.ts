import type { HandlersOf } from '../resources.ts';
import { serviceReplyDel, serviceReplySave } from './reply.service.ts';
import { listReplies } from './reply.store.ts';
import {
  serviceAssign,
  serviceClose,
  serviceDetail,
  serviceImage,
  serviceMessages,
  serviceOpen,
  serviceOperators,
  serviceRead,
  serviceSend,
} from './service.service.ts';
import { listServices } from './service.store.ts';

export const serviceRoutes: HandlersOf<'service'> = {
  list: listServices,
  detail: serviceDetail,
  messages: serviceMessages,
  image: serviceImage,
  operators: serviceOperators,
  open: serviceOpen,
  send: serviceSend,
  close: serviceClose,
  assign: serviceAssign,
  read: serviceRead,
  replies: listReplies,
  replySave: serviceReplySave,
  replyDel: serviceReplyDel,
};
