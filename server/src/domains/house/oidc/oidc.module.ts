import type { Module } from '../../module.ts';
import type { CredentialKind } from '../session/credential.steps.ts';
import { oidcBegin, oidcLogin, oidcOffer } from './oidc.service.ts';
import { limitOwnLogin } from './password.steps.ts';

export const oidcModule = (credentials: readonly CredentialKind[]) =>
  ({
    routes: {
      offer: oidcOffer,
      begin: oidcBegin,
      login: oidcLogin(credentials),
    },
    credential: { limit: limitOwnLogin },
  }) satisfies Module<'oidc'>;
