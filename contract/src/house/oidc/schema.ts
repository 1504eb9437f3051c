import { type Static, Type } from '@sinclair/typebox';
import { OneTimeCode } from '../otp/schema.ts';
import { Assertion } from '../passkey/schema.ts';
import { EmptyInput, Ms, Nullable, Strict } from '../../wire/schema.ts';

const Offer = Type.Object({
  origin: Nullable(
    Type.String({ description: 'the address at which the login works; null if no identity provider is configured' }),
  ),
});
export type OidcOffer = Static<typeof Offer>;

const Begun = Type.Object({
  url: Type.String({ description: 'page of the identity provider' }),
  flow: Type.String({ description: 'names this login; the browser that began it keeps it and sends it back' }),
});
export type OidcBegun = Static<typeof Begun>;

const Login = Strict({
  flow: Type.String({ pattern: '^[\\w-]{43}$' }),
  response: Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]{1,4096}$',
      description: 'query string that the provider sent the browser back with; accepted once',
    }),
  ),
  otp: Type.Optional(OneTimeCode),
  passkey: Type.Optional(Assertion),
});
export type OidcLogin = Static<typeof Login>;

/** Answer of `session.login`, repeated here because both log in. */
const LoggedIn = Type.Object({
  admin: Type.String(),
  planSet: Type.Boolean(),
  abilities: Type.Array(Type.Integer()),
  expire: Ms,
  device: Type.String(),
});

export const oidcSchemas = {
  offer: { input: EmptyInput, output: Offer },
  begin: { input: EmptyInput, output: Begun },
  login: { input: Login, output: LoggedIn },
};
