import { type Static, Type } from '@sinclair/typebox';
import { EmptyInput, Id, IdInput, Ms, Name, Nullable, Strict, Switch } from '../../wire/schema.ts';

/** Bytes as base64url without padding, at most `max` characters. */
const Bytes = (max: number) => Type.String({ pattern: `^[\\w-]{1,${max}}$`, description: 'base64url' });

const CredentialId = Bytes(1364);
const ClientData = Bytes(2048);
const Transport = Type.String({ pattern: '^[a-z-]{1,20}$' });

/** The answer of an authenticator to a challenge of this server. */
export const Assertion = Strict({
  id: CredentialId,
  clientData: ClientData,
  authenticatorData: Bytes(1024),
  signature: Bytes(1024),
  userHandle: Type.Optional(Bytes(88)),
});
export type Assertion = Static<typeof Assertion>;

const Descriptor = Type.Object({
  id: Type.String(),
  type: Type.Literal('public-key'),
  transports: Type.Optional(Type.Array(Type.String())),
});
const UserVerification = Type.Union([Type.Literal('required'), Type.Literal('preferred')]);

/** PublicKeyCredentialRequestOptionsJSON of WebAuthn. */
export const PasskeyRequest = Type.Object({
  challenge: Type.String(),
  rpId: Type.String(),
  timeout: Type.Integer(),
  userVerification: UserVerification,
  allowCredentials: Type.Array(Descriptor),
});
export type PasskeyRequest = Static<typeof PasskeyRequest>;

/** PublicKeyCredentialCreationOptionsJSON of WebAuthn. */
const Creation = Type.Object({
  challenge: Type.String(),
  rp: Type.Object({ id: Type.String(), name: Type.String() }),
  user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  pubKeyCredParams: Type.Array(Type.Object({ type: Type.Literal('public-key'), alg: Type.Integer() })),
  timeout: Type.Integer(),
  attestation: Type.Literal('none'),
  excludeCredentials: Type.Array(Descriptor),
  authenticatorSelection: Type.Object({
    residentKey: Type.Literal('preferred'),
    userVerification: UserVerification,
  }),
});
export type PasskeyCreation = Static<typeof Creation>;

const Attachment = Type.Union([Type.Literal('platform'), Type.Literal('cross-platform')]);

const Row = Type.Object({
  id: Id,
  name: Type.String(),
  address: Type.String({ description: 'host name of the address that it belongs to' }),
  usable: Type.Boolean({ description: 'whether it belongs to the present address of the console' }),
  attachment: Nullable(Attachment),
  synced: Switch,
  userAgent: Type.String({ description: 'browser that added it' }),
  ip: Type.String({ description: 'address that it was added from' }),
  createdAt: Ms,
  lastUsedAt: Nullable(Ms),
  lastUsedIp: Type.String(),
});
export type PasskeyRow = Static<typeof Row>;

const List = Type.Object({
  passkeys: Type.Array(Row),
  origin: Nullable(
    Type.String({
      description: 'the only address at which passkeys work; null while the console has no address with a name',
    }),
  ),
  only: Type.Boolean({ description: 'whether a setting accepts passkeys only' }),
  alone: Type.Boolean({ description: 'whether a setting allows logins without a password' }),
});
export type PasskeyList = Static<typeof List>;

const Enrol = Strict({
  password: Type.Optional(
    Type.String({ minLength: 1, maxLength: 128, description: 'required of an operator without a second factor' }),
  ),
});
export type PasskeyEnrol = Static<typeof Enrol>;

const Add = Strict({
  name: Name(40),
  id: CredentialId,
  clientData: ClientData,
  attestation: Bytes(8192),
  transports: Type.Optional(Type.Array(Transport, { maxItems: 8, uniqueItems: true })),
  attachment: Type.Optional(Attachment),
});
export type PasskeyAdd = Static<typeof Add>;

const Rename = Strict({ id: Id, name: Name(40) });
export type PasskeyRename = Static<typeof Rename>;

const Begin = Strict({
  digest: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'digest of the call that the assertion is for' }),
});
export type PasskeyBegin = Static<typeof Begin>;

const Fresh = Strict({ passkey: Assertion });
export type PasskeyFresh = Static<typeof Fresh>;

const Offer = Type.Object({
  alone: Type.Boolean({ description: 'whether a passkey opens a session without a password' }),
  origin: Nullable(Type.String()),
});
export type PasskeyOffer = Static<typeof Offer>;

/** What the 428 answer of a login offers an operator with passkeys. */
export interface FactorOffer {
  /** One-time codes are accepted as well. */
  code: boolean;
  /** Null if none of the passkeys belongs to the present address. */
  passkey: PasskeyRequest | null;
  /** Addresses of the operator's passkeys for other addresses. */
  elsewhere: string[];
  /** The only address at which its passkeys work; null if the console has none with a name. */
  origin: string | null;
}

/** Answer of `session.login`, repeated here because both log in. */
const LoggedIn = Type.Object({
  admin: Type.String(),
  planSet: Type.Boolean(),
  abilities: Type.Array(Type.Integer()),
  expire: Ms,
  device: Type.String(),
});

export const passkeySchemas = {
  list: { input: EmptyInput, output: List },
  enrol: { input: Enrol, output: Creation },
  add: { input: Add, output: Row },
  rename: { input: Rename, output: Row },
  del: { input: IdInput, output: Type.Null() },
  begin: { input: Begin, output: PasskeyRequest },
  fresh: { input: Fresh, output: Type.Null() },
  offer: { input: EmptyInput, output: Offer },
  loginBegin: { input: EmptyInput, output: PasskeyRequest },
  login: { input: Fresh, output: LoggedIn },
};
