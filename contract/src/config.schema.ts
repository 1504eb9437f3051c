import { type Static, Type } from '@sinclair/typebox';
import { SETTING_TEXT_MAX, config } from './config.ts';
import { Amount, Id, Int, Ms, Nothing, Nullable, Reason, Signed, Strict, Switch, Text, endpoint } from './schema.ts';

const Kind = Type.Union([Type.Literal('str'), Type.Literal('num'), Type.Literal('switch')]);

const Row = Type.Object({
  id: Id,
  key: Type.String(),
  name: Type.String(),
  group: Type.String(),
  kind: Kind,
  str: Type.String(),
  num: Signed,
  state: Int,
  min: Nullable(Signed),
  max: Nullable(Signed),
  remark: Type.String(),
  editable: Switch,
  updatedAt: Ms,
});
export type ConfigRow = Static<typeof Row>;

/** What is left out stays as it is. */
const Save = Strict({
  id: Id,
  str: Type.Optional(Text(SETTING_TEXT_MAX)),
  num: Type.Optional(Amount),
  state: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 })),
  reason: Type.Optional(Reason),
});
export type ConfigSave = Static<typeof Save>;

export const configEndpoints = {
  list: endpoint(config.list, Nothing, Type.Array(Row)),
  save: endpoint(config.save, Save, Row),
};
