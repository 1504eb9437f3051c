import { type Static, Type } from '@sinclair/typebox';
import { Ms, EmptyInput, Nullable, Strict, Switch, Text } from '../../wire/schema.ts';

/** Six digits, or a recovery code with or without its hyphens. */
export const OneTimeCode = Text(32, 1);

const State = Type.Object({
  state: Switch,
  since: Nullable(Ms),
  recovery: Type.Integer({ description: 'unused recovery codes' }),
  required: Type.Boolean({ description: 'whether a setting requires codes of every operator' }),
  freshUntil: Nullable(Type.Integer({ description: 'time until which this session needs no further code' })),
});
export type OtpState = Static<typeof State>;

const Password = Strict({ password: Type.String({ minLength: 1, maxLength: 128 }) });
export type OtpPassword = Static<typeof Password>;

const Setup = Type.Object({
  secret: Type.String({ description: 'base32, for manual entry' }),
  uri: Type.String({ description: 'otpauth:// address, shown as a QR code' }),
});
export type OtpSetup = Static<typeof Setup>;

const Code = Strict({ code: OneTimeCode });
export type OtpCode = Static<typeof Code>;

/** Without a code, the call needs a passkey. */
const OptionalCode = Strict({ code: Type.Optional(OneTimeCode) });
export type OtpOptionalCode = Static<typeof OptionalCode>;

const Disable = Strict({
  password: Type.String({ minLength: 1, maxLength: 128 }),
  code: Type.Optional(OneTimeCode),
});
export type OtpDisable = Static<typeof Disable>;

const Recovery = Type.Object({
  recovery: Type.Array(Type.String(), { description: 'shown once; each code works once' }),
});
export type OtpRecovery = Static<typeof Recovery>;

export const otpSchemas = {
  state: { input: EmptyInput, output: State },
  setup: { input: Password, output: Setup },
  confirm: { input: Code, output: Recovery },
  disable: { input: Disable, output: Type.Null() },
  recovery: { input: OptionalCode, output: Recovery },
  fresh: { input: Code, output: Type.Null() },
};
