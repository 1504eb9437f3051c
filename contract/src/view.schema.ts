import { type Static, type TUnsafe, Type } from '@sinclair/typebox';
import type { CallSpec } from './endpoint.ts';
import { nouns } from './index.ts';
import { Id, Int, Ms, Name, Nullable, Strict, Switch, Text, endpoint } from './schema.ts';
import { VIEW_NAME_MAX, VIEW_QUERY_MAX, view } from './view.ts';

/** Every list of the product by the path of its call, so that a new list has views without a further line. */
const paths: string[] = Object.values(nouns)
  .flatMap((calls) => Object.values<CallSpec>(calls))
  .flatMap((call) => (call.list ? [call.path] : []));
const ListPath: TUnsafe<string> = Type.Unsafe<string>(Type.Union(paths.map((path) => Type.Literal(path))));

const Of = Strict({ list: ListPath });
export type ViewOf = Static<typeof Of>;

const Key = Type.String({ maxLength: 64 });
/** What is changed about the columns of the list; `{hidden: {}}` stands for nothing changed. */
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
  by: Nullable(Type.String({ description: 'its owner, unless that one stands above' })),
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

/** null where the filters are no longer those of the list. */
const Count = Nullable(Int);
const Counts = Type.Object({
  built: Type.Array(Count, { description: 'of the views that the list itself declares, in their order' }),
  saved: Type.Array(Type.Object({ id: Id, count: Count })),
});
export type ViewCounts = Static<typeof Counts>;

export const viewEndpoints = {
  list: endpoint(view.list, Of, Type.Array(Row)),
  counts: endpoint(view.counts, Of, Counts),
  save: endpoint(view.save, Save, Row),
  del: endpoint(view.del, Del, Type.Null()),
};
