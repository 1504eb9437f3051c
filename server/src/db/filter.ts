import type { Filter, PageInput } from '@hengtai/contract/list';
import { type RawBuilder, sql } from 'kysely';
import type { Scope } from './connect.ts';
import type { ListSource } from './list.ts';
import { inScope } from './scope.ts';

/** The declared filters that were given, and the time, as conditions on a source's columns. */
export function conditions(
  filters: readonly Filter[],
  source: ListSource,
  scope: Scope,
  input: PageInput,
): RawBuilder<unknown> {
  const values: Readonly<Record<string, unknown>> = { ...input };
  const found = filters.flatMap((filter) => {
    const value = values[filter.field];
    const column = source.filters[filter.field];
    if (value === undefined || column === undefined) return [];
    const user = isOfUsers(source, filter, value) ? source.rollup?.user : undefined;
    if (user !== undefined)
      return [
        sql` and ${sql.ref(user)} = any(array(select x.id from users x where ${condition(filter, sql.ref('x.account_key'), scope, value)}))`,
      ];
    return [sql` and ${condition(filter, typeof column === 'string' ? sql.ref(column) : column, scope, value)}`];
  });
  const createdAt = sql.ref(source.createdAt);
  if (input.from !== undefined) found.push(sql` and ${createdAt} >= ${input.from}`);
  if (input.to !== undefined) found.push(sql` and ${createdAt} <= ${input.to}`);
  return sql.join(found, sql``);
}

/**
 * Whether the beginning of accounts is asked for, of rows that are counted: these are looked for user by user in an index,
 * for which nothing may be joined to them.
 */
export const isOfUsers = ({ rollup }: ListSource, { field, kind }: Filter, value: unknown): boolean =>
  field === 'account' && kind === 'prefix' && rollup?.user !== undefined && String(value).endsWith('*');

function condition(filter: Filter, column: RawBuilder<unknown>, scope: Scope, value: unknown): RawBuilder<unknown> {
  const text = String(value);
  // The second half says nothing new, but an index of the few rows that have anything is used by it.
  if (filter.kind === 'has') return sql`${column} @> array[${value}]::text[] and ${column} <> '{}'`;
  if (filter.kind === 'prefix') {
    const key = text.toLowerCase();
    return key.endsWith('*') ? sql`${column} like ${`${likeText(key.slice(0, -1))}%`}` : sql`${column} = ${key}`;
  }
  // An account outside the tree matches nothing, not even the rows that do lie below it: it would tell who stands above.
  const named = sql`x.account_key = ${text.toLowerCase()} and x.deleted_at is null and ${inScope(scope, 'x.id')}`;
  // What belonged to a deleted agent is shown as its successor's.
  if (filter.kind === 'agent') {
    return sql`${column} = any(array(select x.id from agent x
      where x.shown_key = ${text.toLowerCase()} and ${inScope(scope, 'x.id')}))`;
  }
  if (filter.kind === 'subtree') {
    return sql`${column} in (select y.descendant from closure y join agent x on x.id = y.ancestor
      where ${named})`;
  }
  return sql`${column} = ${value}`;
}

const likeText = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);
