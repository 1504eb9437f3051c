import { type Static, Type } from '@sinclair/typebox';
import { Ms, Nothing as NothingSchema, Password, Strict, Text, endpoint } from './schema.ts';
import { session } from './session.ts';

const Login = Strict({
  account: Text(64, 1),
  password: Type.String({ minLength: 1, maxLength: 128 }),
  otp: Type.Optional(Text(16)),
});
export type LoginInput = Static<typeof Login>;

const LoginAnswer = Type.Object({
  admin: Type.String({ description: "the operator's account" }),
  planSet: Type.Boolean(),
  abilities: Type.Array(Type.Integer()),
  expire: Ms,
  device: Type.String({ description: 'sent back as header device, so that this browser counts as known' }),
});
export type LoginData = Static<typeof LoginAnswer>;

const MeAnswer = Type.Object({
  id: Type.Integer(),
  admin: Type.String(),
  planSet: Type.Boolean(),
  top: Type.Boolean({ description: 'the top-level admin' }),
  abilities: Type.Array(Type.Integer()),
  expire: Ms,
  now: Ms,
  zone: Type.String({ description: 'IANA time zone in which reports and daily figures are cut' }),
});
export type Me = Static<typeof MeAnswer>;

const PasswordChange = Strict({ oldPassword: Type.String({ minLength: 1, maxLength: 128 }), newPassword: Password });
export type PasswordInput = Static<typeof PasswordChange>;
export type Nothing = Static<typeof NothingSchema>;

export const sessionEndpoints = {
  login: endpoint(session.login, Login, LoginAnswer),
  logout: endpoint(session.logout, NothingSchema, Type.Null()),
  me: endpoint(session.me, NothingSchema, MeAnswer),
  password: endpoint(session.password, PasswordChange, Type.Null()),
};
