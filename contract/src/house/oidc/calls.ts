import { call } from '../../wire/endpoint.ts';
import { oidcActions } from './facts.ts';
import type { OidcBegun, OidcLogin, OidcOffer } from './schema.ts';
import type { EmptyInput, LoginData } from '../session/schema.ts';

/** Setting: an operator who is linked to the identity provider logs in there only. */
export const OIDC_ONLY = 'oidc.only';
/** Prefix of these settings; only the top-level admin changes them. */
export const OIDC_PREFIX = 'oidc.';
/** The provider must answer within this time after the login began. */
export const OIDC_FLOW_MINUTES = 10;
/** A second factor must follow within this time after the provider answered. */
export const OIDC_FACTOR_MINUTES = 5;
/** Path of the login page, to which the provider sends the browser back. */
export const OIDC_RETURN_PATH = '/login';

const open = { kind: 'session', public: true } as const;

/** Login by the identity provider of a company (OpenID Connect), which is a first factor. */
export const oidc = {
  offer: call<EmptyInput, OidcOffer>()({
    ...open,
    method: 'GET',
    path: 'login/oidc/offer',
    summary: '登录页的企业登录',
  }),
  begin: call<EmptyInput, OidcBegun>()({ ...oidcActions.begin, ...open, method: 'POST', path: 'login/oidc/begin' }),
  /** First with the answer of the provider, then, if a second factor is missing, with that instead. */
  login: call<OidcLogin, LoginData>()({ ...oidcActions.login, ...open, method: 'POST', path: 'login/oidc' }),
};
