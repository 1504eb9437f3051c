import type { HandlersOf } from '../../resources.ts';
import { agentDel, agentDelPreview, agentParentChange, agentParentPreview, agentRoot } from './agent-tree.service.ts';
import { agentDetail } from './agent-detail.service.ts';
import {
  agentAdd,
  agentIeoReviewClose,
  agentIeoReviewOpen,
  agentOtpReset,
  agentPwdUpdate,
  agentRemark,
  agentState,
} from './agent.service.ts';
import { listAgents } from './agent.store.ts';

export const agentRoutes: HandlersOf<'agent'> = {
  list: listAgents,
  detail: agentDetail,
  add: agentAdd,
  state: agentState,
  ieoReviewOpen: agentIeoReviewOpen,
  ieoReviewClose: agentIeoReviewClose,
  pwdUpdate: agentPwdUpdate,
  otpReset: agentOtpReset,
  remark: agentRemark,
  root: agentRoot,
  parentPreview: agentParentPreview,
  parentChange: agentParentChange,
  delPreview: agentDelPreview,
  del: agentDel,
};
