import { type Static, type TUnsafe, Type } from '@sinclair/typebox';
import { SCHEDULE_NAME_MAX, VIEW_QUERY_MAX } from '../../wire/input-values.ts';
import { EmptyInput, Id, IdInput, Int, Ms, Name, Nullable, Strict, Switch, Text } from '../../wire/schema.ts';

const timing = {
  period: Type.Union([Type.Literal(0), Type.Literal(1), Type.Literal(2)], {
    description: '0 daily, 1 weekly, 2 monthly',
  }),
  day: Type.Integer({ minimum: 1, maximum: 28, description: 'weekday from Monday 1 to Sunday 7, or day of the month' }),
  hour: Type.Integer({ minimum: 0, maximum: 23, description: "in the platform's time zone" }),
};
const settings = {
  name: Name(SCHEDULE_NAME_MAX),
  format: Type.Union([Type.Literal('xlsx'), Type.Literal('csv')]),
  ...timing,
  range: Type.Union([Type.Literal(0), Type.Literal(1)], {
    description: '0 dates of the query, 1 the period before the day of the run',
  }),
};

const Row = Type.Object({
  id: Id,
  list: Type.String({ description: 'path of the list' }),
  title: Type.String(),
  query: Type.String({ description: "the list's filters and order as in its address" }),
  ...settings,
  name: Type.String(),
  enabled: Switch,
  nextAt: Nullable(Ms),
  lastAt: Nullable(Ms),
  jobId: Nullable(Id),
  jobState: Nullable(Int),
  reason: Type.String({ description: 'why the last run created no export' }),
  createdAt: Ms,
  updatedAt: Ms,
});
export type ScheduleRow = Static<typeof Row>;

const Save = Strict({ id: Id, ...settings, enabled: Switch });
export type ScheduleSave = Static<typeof Save>;

/** The schema of the paths of all lists comes from outside, because it derives from all nouns. */
export function scheduleSchemas(list: TUnsafe<string>) {
  const Add = Strict({
    list,
    query: Text(VIEW_QUERY_MAX),
    columns: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 100, uniqueItems: true }),
    ),
    ...settings,
  });
  return {
    list: { input: EmptyInput, output: Type.Array(Row) },
    add: { input: Add, output: Row },
    save: { input: Save, output: Row },
    del: { input: IdInput, output: Type.Null() },
  };
}
type Schemas = ReturnType<typeof scheduleSchemas>;
export type ScheduleAdd = Static<Schemas['add']['input']>;
