import { type RawBuilder, sql } from 'kysely';

/** Numbers for `in (…)`. Literals instead of parameters, so that the planner can use partial indexes. */
export const literals = (...values: readonly number[]): RawBuilder<unknown> =>
  sql.join(values.map((value) => sql.lit(value)));
