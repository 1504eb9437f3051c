import type { HandlersOf } from '../../resources.ts';
import { userToken } from './support-link.service.ts';
import { userDelete } from './user-delete.service.ts';
import { userDetail } from './user-detail.service.ts';
import { userAgentChange, userAgentChangeEach } from './user-move.service.ts';
import { listNotes } from './user-note.store.ts';
import {
  userAi,
  userDisable,
  userEnable,
  userIeoBuy,
  userIeoSellClose,
  userIeoSellOpen,
  userSecond,
  userTradeClose,
  userTradeOpen,
} from './user-switch.service.ts';
import { userAdd, userAsset, userBalance, userNoteAdd, userPassword, userRemark } from './user.service.ts';
import { listUsers } from './user.store.ts';

export const userRoutes: HandlersOf<'user'> = {
  list: listUsers,
  add: userAdd,
  asset: userAsset,
  detail: userDetail,
  balance: userBalance,
  noteList: listNotes,
  noteAdd: userNoteAdd,
  remark: userRemark,
  pwdUpdate: userPassword,
  enable: userEnable,
  disable: userDisable,
  enableMany: { each: userEnable },
  disableMany: { each: userDisable },
  tradeOpen: userTradeOpen,
  tradeClose: userTradeClose,
  ieoBuy: userIeoBuy,
  ieoSellOpen: userIeoSellOpen,
  ieoSellClose: userIeoSellClose,
  ai: userAi,
  second: userSecond,
  token: userToken,
  agentChange: userAgentChange,
  agentChangeMany: { each: userAgentChangeEach },
  del: userDelete,
};
