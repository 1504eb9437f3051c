import { type Static, type TUnsafe, Type } from '@sinclair/typebox';
import { VIEW_NAME_MAX, VIEW_QUERY_MAX } from '../../wire/input-values.ts';
import { Id, Int, Ms, Name, Nullable, Strict, Switch, Text, IdInput } from '../../wire/schema.ts';

const Key = Type.String({ maxLength: 64 });
/** Changes to the columns of the list. `{hidden: {}}` means no change. */
const Columns = Type.Object(
  {
    order: Type.Optional(Type.Array(Key, { maxItems: 100 })),
    hidden: Type.Optional(Type.Record(Key, Type.Boolean())),
    width: Type.Optional(Type.Record(Key, Type.Integer({ minimum: 1, maximum: 10_000 }))),
    fixed: Type.Optional(
      Type.Record(Key, Type.Union([Type.Literal('left'), Type.Literal('right'), Type.Literal('none')])),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
);
export type ViewColumns = Static<typeof Columns>;

const Row = Type.Object({
  id: Id,
  list: Type.String(),
  name: Type.String(),
  query: Type.String({ description: "the list's filters and order as in its address" }),
  columns: Nullable(Columns),
  shared: Switch,
  mine: Switch,
  by: Nullable(Type.String({ description: 'its owner; null if the owner is above the caller' })),
  createdAt: Ms,
  updatedAt: Ms,
});
export type ViewRow = Static<typeof Row>;

/** null if the list no longer has these filters. */
const Count = Nullable(Int);
const Counts = Type.Object({
  built: Type.Array(Count, { description: 'counts of the built-in views of the list, in order' }),
  saved: Type.Array(Type.Object({ id: Id, count: Count })),
});
export type ViewCounts = Static<typeof Counts>;

/** Only lists have views, so the schemas take the schema of the paths of all lists. */
export function viewSchemas(list: TUnsafe<string>) {
  const ByList = Strict({ list });
  const Save = Strict({
    id: Type.Optional(Id),
    list,
    name: Name(VIEW_NAME_MAX),
    query: Text(VIEW_QUERY_MAX),
    columns: Type.Optional(Nullable(Columns)),
    shared: Switch,
  });
  return {
    list: { input: ByList, output: Type.Array(Row) },
    counts: { input: ByList, output: Counts },
    save: { input: Save, output: Row },
    del: { input: IdInput, output: Type.Null() },
  };
}
type Schemas = ReturnType<typeof viewSchemas>;
export type ViewOf = Static<Schemas['list']['input']>;
export type ViewSave = Static<Schemas['save']['input']>;
