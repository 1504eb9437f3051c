import { type Static, Type } from '@sinclair/typebox';
import {
  CHANNEL_ADDRESS_MAX,
  CHANNEL_KEY_MAX,
  CHANNEL_NAME_MAX,
  type ChannelKind,
  channelKinds,
} from '../../wire/input-values.ts';
import { EmptyInput, Id, IdInput, Int, Ms, Name, Nullable, Strict, Switch } from '../../wire/schema.ts';

const Kind = Type.Unsafe<ChannelKind>(Type.Union(Object.keys(channelKinds).map((kind) => Type.Literal(kind))));

const Row = Type.Object({
  id: Id,
  kind: Kind,
  name: Type.String(),
  address: Type.String({ description: 'masked' }),
  types: Type.Array(Type.String(), { description: 'types of notifications that the channel gets' }),
  enabled: Switch,
  waiting: Int,
  sentAt: Nullable(Ms),
  failedAt: Nullable(Ms),
  error: Type.String({ description: 'why the last message failed; empty after a success' }),
  createdAt: Ms,
  updatedAt: Ms,
});
export type ChannelRow = Static<typeof Row>;

const List = Type.Object({
  channels: Type.Array(Row),
  kinds: Type.Array(Kind, { description: 'kinds that this installation can send to' }),
  hosts: Type.Array(Type.String(), { description: 'hosts and mail domains that addresses may name' }),
  linked: Type.Boolean({ description: 'whether messages contain a link' }),
});
export type ChannelList = Static<typeof List>;

const Save = Strict({
  id: Type.Optional(Id),
  kind: Kind,
  name: Name(CHANNEL_NAME_MAX),
  address: Type.Optional(Name(CHANNEL_ADDRESS_MAX)),
  /** The key of a Feishu bot that verifies signatures. */
  signingKey: Type.Optional(Name(CHANNEL_KEY_MAX)),
  types: Type.Array(Type.String({ maxLength: 64 }), { maxItems: 100, uniqueItems: true }),
  enabled: Switch,
  renewSecret: Type.Optional(Switch),
});
export type ChannelSave = Static<typeof Save>;

const Saved = Type.Object({
  channel: Row,
  secret: Type.Optional(Type.String({ description: 'new secret of a webhook; shown once' })),
});
export type ChannelSaved = Static<typeof Saved>;

export const channelSchemas = {
  list: { input: EmptyInput, output: List },
  save: { input: Save, output: Saved },
  test: { input: IdInput, output: Row },
  del: { input: IdInput, output: Type.Null() },
};
