import { type Static, Type } from '@sinclair/typebox';
import { OneTimeCode } from '../otp/schema.ts';
import { Assertion } from '../passkey/schema.ts';
import {
  Id,
  Int,
  Ms,
  EmptyInput as NothingSchema,
  Nullable,
  Password,
  Reason,
  Strict,
  Switch,
  Text,
  page,
  ActionInput,
} from '../../wire/schema.ts';

const Login = Strict({
  account: Text(64, 1),
  password: Type.String({ minLength: 1, maxLength: 128 }),
  otp: Type.Optional(OneTimeCode),
  passkey: Type.Optional(Assertion),
});
export type LoginInput = Static<typeof Login>;

const LoginAnswer = Type.Object({
  admin: Type.String({ description: "the operator's account" }),
  planSet: Type.Boolean(),
  abilities: Type.Array(Type.Integer()),
  expire: Ms,
  device: Type.String({
    description: 'the client returns it in the header `device`, so that this browser counts as known',
  }),
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
  zone: Type.String({ description: 'IANA time zone of reports and daily figures' }),
  kline: Type.String({
    description: 'address of the chart site; empty if none is set or the operator has no such menu entry',
  }),
  watermark: Type.Boolean({ description: 'whether account and time are drawn over pages with personal data or money' }),
  otp: Switch,
  otpDue: Type.Boolean({ description: 'whether a second factor must be set up before other calls are allowed' }),
  passkeyDue: Type.Boolean({ description: 'whether a passkey must be added before other calls are allowed' }),
  passwordDue: Type.Boolean({
    description: 'whether another operator set the password, so that it must be changed before other calls are allowed',
  }),
  fourEyes: Type.Object({
    locked: Type.Boolean(),
    unlockedAt: Nullable(Ms),
    appointedAt: Nullable(Ms),
  }),
});
export type Me = Static<typeof MeAnswer>;

const PasswordChange = Strict({
  oldPassword: Type.String({ minLength: 1, maxLength: 128 }),
  newPassword: Password,
});
export type PasswordInput = Static<typeof PasswordChange>;
/** Sets the password of the operator that the one-time link was issued for. */
const Redeem = Strict({ token: Type.String({ pattern: '^[\\w-]{43}$' }), password: Password });
export type ResetRedeem = Static<typeof Redeem>;
const RedeemAnswer = Type.Object({ account: Type.String() });
export type ResetRedeemed = Static<typeof RedeemAnswer>;
export type EmptyInput = Static<typeof NothingSchema>;

const Row = Type.Object({
  id: Id,
  operatorId: Id,
  account: Type.String(),
  state: Switch,
  ip: Type.String(),
  userAgent: Type.String(),
  known: Type.Integer({ description: '1: this browser had been used for the account before' }),
  current: Type.Integer({ description: '1: the session of this call' }),
  within: Type.Integer({ description: "1: within the caller's tree, so that the caller may end it" }),
  createdAt: Ms,
  lastSeenAt: Ms,
  expiresAt: Ms,
  endedAt: Nullable(Ms),
  endReason: Type.String(),
});
export type SessionRow = Static<typeof Row>;

const Others = Strict({ reason: Type.Optional(Reason) });
export type KickOthers = Static<typeof Others>;
const Kicked = Type.Object({ ended: Int });
export type KickOthersResult = Static<typeof Kicked>;

export const sessionSchemas = {
  login: { input: Login, output: LoginAnswer },
  logout: { input: NothingSchema, output: Type.Null() },
  me: { input: NothingSchema, output: MeAnswer },
  redeem: { input: Redeem, output: RedeemAnswer },
  password: { input: PasswordChange, output: Type.Null() },
  list: { output: page(Row) },
  kick: { input: ActionInput, output: Row },
  kickOthers: { input: Others, output: Kicked },
};
