import { type Static, Type } from '@sinclair/typebox';
import { SETTING_TEXT_MAX } from '../../wire/input-values.ts';
import { MS_MAX } from '../../wire/list.ts';
import {
  Amount,
  Id,
  Int,
  Ms,
  EmptyInput,
  Nullable,
  Reason,
  AnswerAmount,
  Strict,
  Switch,
  Text,
  page,
} from '../../wire/schema.ts';

const Kind = Type.Union([Type.Literal('str'), Type.Literal('num'), Type.Literal('switch')]);

const Value = Type.Object({ str: Type.String(), num: AnswerAmount, state: Int });
export type ConfigValue = Static<typeof Value>;

const By = Nullable(
  Type.String({ description: "null: never changed, or changed by an operator outside the caller's tree" }),
);

const Row = Type.Object({
  id: Id,
  key: Type.String(),
  name: Type.String(),
  group: Type.String(),
  kind: Kind,
  str: Type.String(),
  num: AnswerAmount,
  state: Int,
  min: Nullable(AnswerAmount),
  max: Nullable(AnswerAmount),
  remark: Type.String(),
  editable: Switch,
  by: By,
  changed: Type.Union([Type.Literal(0), Type.Literal(1)], {
    description: '0: still has the value of the installation',
  }),
  updatedAt: Ms,
  loosenedAt: Nullable(Ms),
});
export type ConfigRow = Static<typeof Row>;

const SeenVersion = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: MS_MAX,
    description: 'updatedAt that was read; 409 if the setting changed since',
  }),
);

/** Omitted fields stay unchanged. */
const Save = Strict({
  id: Id,
  str: Type.Optional(Text(SETTING_TEXT_MAX)),
  num: Type.Optional(Amount),
  state: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 })),
  seen: SeenVersion,
  reason: Type.Optional(Reason),
});
export type ConfigSave = Static<typeof Save>;

const Restore = Strict({
  id: Id,
  historyId: Id,
  value: Type.Optional(
    Type.Union([Type.Literal('after'), Type.Literal('before')], {
      description: 'the value after the change (default), or the one before it',
    }),
  ),
  seen: SeenVersion,
  reason: Type.Optional(Reason),
});
export type ConfigRestore = Static<typeof Restore>;

const HistoryRow = Type.Object({
  id: Id,
  configId: Id,
  key: Type.String(),
  name: Type.String(),
  group: Type.String(),
  kind: Kind,
  beforeStr: Type.String(),
  beforeNum: AnswerAmount,
  beforeState: Int,
  afterStr: Type.String(),
  afterNum: AnswerAmount,
  afterState: Int,
  by: By,
  reason: Type.String(),
  restoredId: Nullable(Id),
  requestId: Type.String(),
  createdAt: Ms,
});
export type ConfigHistoryRow = Static<typeof HistoryRow>;

const Diff = Strict({ from: Ms, to: Type.Optional(Ms) });
export type ConfigDiff = Static<typeof Diff>;

const Change = Type.Object({
  id: Id,
  key: Type.String(),
  name: Type.String(),
  group: Type.String(),
  kind: Kind,
  before: Value,
  after: Value,
  changes: Int,
  by: By,
  at: Ms,
});
export type ConfigChange = Static<typeof Change>;

export const configSchemas = {
  list: { input: EmptyInput, output: Type.Array(Row) },
  save: { input: Save, output: Row },
  history: { output: page(HistoryRow) },
  diff: { input: Diff, output: Type.Array(Change) },
  restore: { input: Restore, output: Row },
};
