import type { Module } from '../module.ts';
import { oidcBegin, oidcLogin, oidcOffer } from './oidc.service.ts';

export const oidcModule = {
  routes: {
    offer: oidcOffer,
    begin: oidcBegin,
    login: oidcLogin,
  },
} satisfies Module<'oidc'>;
