import { type Static, Type } from '@sinclair/typebox';
import { gatewayRights } from '../../gateway/rights.ts';
import { GATEWAY_ADDRESSES_MAX, GATEWAY_KEY_NAME_MAX, GATEWAY_MARKETS_MAX } from '../../wire/input-values.ts';
import { MS_MAX } from '../../wire/list.ts';
import { EmptyInput, Id, IdInput, Ms, Name, Nullable, Reason, Strict, Switch } from '../../wire/schema.ts';

const Row = Type.Object({
  id: Id,
  key: Type.String({ description: 'the value of x-key' }),
  platformId: Id,
  name: Type.String(),
  rights: Type.Array(Type.String(), { description: 'families of events, and rights of calls' }),
  addresses: Type.Array(Type.String(), { description: 'networks that may use the key; empty: every address' }),
  expiresAt: Nullable(Ms),
  nonce: Switch,
  issuedAt: Nullable(Ms),
  lastUsedAt: Nullable(Ms),
  revokedAt: Nullable(Ms),
  by: Type.String({ description: 'who changed it last' }),
  createdAt: Ms,
  updatedAt: Ms,
});
export type GatewayKeyRow = Static<typeof Row>;

const Platform = Type.Object({
  id: Id,
  name: Type.String(),
  markets: Nullable(Type.Array(Type.String(), { description: 'names of its markets; null: every market' })),
  by: Type.String({ description: 'who changed it last; empty for the default platform' }),
  createdAt: Ms,
  updatedAt: Ms,
});
export type GatewayPlatform = Static<typeof Platform>;

const List = Type.Object({
  keys: Type.Array(Row, { description: 'valid keys first' }),
  platforms: Type.Array(Platform, { description: 'the default platform first' }),
  environment: Type.Array(Type.Object({ key: Type.String(), lastUsedAt: Nullable(Ms) }), {
    description: 'keys of the environment or the data directory, with every right',
  }),
});
export type GatewayKeyList = Static<typeof List>;

const SeenVersion = Type.Optional(
  Type.Integer({ minimum: 0, maximum: MS_MAX, description: 'updatedAt that was read; 409 if it changed since' }),
);

const Save = Strict({
  id: Type.Optional(Id),
  seen: SeenVersion,
  /** Of a new key; the default platform without it. */
  platformId: Type.Optional(Id),
  name: Name(GATEWAY_KEY_NAME_MAX),
  rights: Type.Array(Type.Union(Object.keys(gatewayRights).map((right) => Type.Literal(right))), {
    minItems: 1,
    uniqueItems: true,
  }),
  addresses: Type.Array(Name(64), { maxItems: GATEWAY_ADDRESSES_MAX, uniqueItems: true }),
  expiresAt: Nullable(Ms),
  nonce: Switch,
  reason: Type.Optional(Reason),
});
export type GatewayKeySave = Static<typeof Save>;

const PlatformSave = Strict({
  id: Type.Optional(Id),
  seen: SeenVersion,
  name: Name(GATEWAY_KEY_NAME_MAX),
  markets: Nullable(Type.Array(Name(20), { maxItems: GATEWAY_MARKETS_MAX, uniqueItems: true })),
  reason: Type.Optional(Reason),
});
export type GatewayPlatformSave = Static<typeof PlatformSave>;

const Issued = Type.Object({
  key: Type.String(),
  secret: Type.Optional(Type.String({ description: 'shown once' })),
});
export type GatewayKeyIssued = Static<typeof Issued>;

export const gatewayKeySchemas = {
  list: { input: EmptyInput, output: List },
  save: { input: Save, output: Row },
  issue: { input: IdInput, output: Issued },
  platformSave: { input: PlatformSave, output: Platform },
  revoke: { input: IdInput, output: Row },
};
