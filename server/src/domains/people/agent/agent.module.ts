import type { Module } from '../../module.ts';
import type { CredentialKind } from '../../house/session/credential.steps.ts';
import { agentDetail, agentFind } from './agent-detail.service.ts';
import { agentDel, agentDelPreview, agentParentChange, agentParentPreview, agentRoot } from './agent-tree.service.ts';
import { agentOidcLink } from './agent-oidc.service.ts';
import { agentEvents } from './agent.events.ts';
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

export const agentModule = (credentials: readonly CredentialKind[]) =>
  ({
    routes: {
      list: listAgents,
      detail: agentDetail,
      find: agentFind,
      add: agentAdd,
      state: agentState,
      ieoReviewOpen: agentIeoReviewOpen,
      ieoReviewClose: agentIeoReviewClose,
      pwdUpdate: agentPwdUpdate,
      otpReset: agentOtpReset(credentials),
      oidcLink: agentOidcLink,
      remark: agentRemark,
      root: agentRoot,
      parentPreview: agentParentPreview,
      parentChange: agentParentChange,
      delPreview: agentDelPreview,
      del: agentDel,
    },
    events: agentEvents,
  }) satisfies Module<'agent'>;
