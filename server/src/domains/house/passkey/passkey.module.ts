import type { Module } from '../../module.ts';
import type { CredentialKind } from '../session/credential.steps.ts';
import { passkeyCredential } from './second-factor.steps.ts';
import { passkeyLogin, passkeyLoginBegin, passkeyOffer } from './passkey-login.service.ts';
import {
  passkeyAdd,
  passkeyBegin,
  passkeyDel,
  passkeyEnrol,
  passkeyFresh,
  passkeyList,
  passkeyRename,
} from './passkey.service.ts';

export const passkeyModule = (credentials: readonly CredentialKind[]) =>
  ({
    routes: {
      list: passkeyList,
      enrol: passkeyEnrol,
      add: passkeyAdd,
      rename: passkeyRename,
      del: passkeyDel,
      begin: passkeyBegin,
      fresh: passkeyFresh,
      offer: passkeyOffer,
      loginBegin: passkeyLoginBegin,
      login: passkeyLogin(credentials),
    },
    credential: passkeyCredential,
  }) satisfies Module<'passkey'>;
