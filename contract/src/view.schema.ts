import { type Static, type TUnsafe, Type } from '@sinclair/typebox';
import type { CallSpec } from './endpoint.ts';
import { nouns } from './index.ts';
import { Id, Int, Ms, Name, Nullable, Strict, Switch, Text, endpoint } from './schema.ts';
import { VIEW_NAME_MAX, VIEW_QUERY_MAX, view } from './view.ts';

/** Paths of all list calls, so that a new list has views automatically. */
const paths: string[] = Object.values(nouns)
  .flatMap((calls) => Object.values<CallSpec>(calls))
  .flatMap((call) => (call.list ? [call.path] : []));
const ListPath: TUnsafe<string> = Type.Unsafe<string>(Type.Union(paths.map((path) => Type.Literal(path))));

const ByList = Strict({ list: ListPath });
export type ViewOf = Static<typeof ByList>;

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

const Save = Strict({
  id: Type.Optional(Id),
  list: ListPath,
  name: Name(VIEW_NAME_MAX),
  query: Text(VIEW_QUERY_MAX),
  columns: Type.Optional(Columns),
  shared: Switch,
});
export type ViewSave = Static<typeof Save>;

const Del = Strict({ id: Id });
export type ViewDel = Static<typeof Del>;

/** null if the list no longer has these filters. */
const Count = Nullable(Int);
const Counts = Type.Object({
  built: Type.Array(Count, { description: 'counts of the built-in views of the list, in order' }),
  saved: Type.Array(Type.Object({ id: Id, count: Count })),
});
export type ViewCounts = Static<typeof Counts>;

export const viewEndpoints = {
  list: endpoint(view.list, ByList, Type.Array(Row)),
  counts: endpoint(view.counts, ByList, Counts),
  save: endpoint(view.save, Save, Row),
  del: endpoint(view.del, Del, Type.Null()),
};
