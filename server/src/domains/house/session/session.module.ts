import type { Module } from '../../module.ts';
import type { CredentialKind } from './credential.steps.ts';
import { login } from './login.service.ts';
import { redeem } from './reset-link.service.ts';
import { listSessions } from './session-list.store.ts';
import { changePassword, logout, me, sessionKick, sessionKickOthers } from './session.service.ts';

export const sessionModule = (credentials: readonly CredentialKind[]) =>
  ({
    routes: {
      login: login(credentials),
      logout,
      me,
      password: changePassword,
      redeem,
      list: listSessions,
      kick: sessionKick,
      kickOthers: sessionKickOthers,
    },
  }) satisfies Module<'session'>;
