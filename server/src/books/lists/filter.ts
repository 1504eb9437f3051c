import { type Filter, type ListSpec, type PageInput, filtersOf, singleField } from '@hengtai/contract/wire/list';
import { type RawBuilder, sql } from 'kysely';
import type { Scope } from '../../database/connect.ts';
import { inListScope, inScope } from '../../database/scope.ts';
import type { ListSource, Within } from './source.ts';

/** SQL conditions of the filters, times and blocks of ids, each beginning with ` and `. */
export function conditions(
  spec: ListSpec,
  source: ListSource,
  scope: Scope,
  input: PageInput,
  within?: Within,
): RawBuilder<unknown> {
  const values: Readonly<Record<string, string | number | undefined>> = { ...input };
  const parts = filtersOf(spec).flatMap((filter) => {
    const value = values[filter.field];
    const column = columnOf(source, filter);
    if (value === undefined || column === undefined) return [];
    if (typeof column === 'function') {
      const each = [filterValue(filter, value)].flat().map((one) => column(one, within ?? (() => sql`true`)));
      return [sql` and (${sql.join(each, sql` or `)})`];
    }
    if (source.counted && filter.field === 'account') {
      return [sql` and ${hasAccount(source.counted.user, scope, String(value))}`];
    }
    return [sql` and ${condition(filter, typeof column === 'string' ? sql.ref(column) : column, scope, value)}`];
  });
  const createdAt = sql.ref(source.createdAt);
  if (input.from !== undefined) parts.push(sql` and ${createdAt} >= ${input.from}`);
  if (input.to !== undefined) parts.push(sql` and ${createdAt} <= ${input.to}`);
  if (within) parts.push(sql` and ${within(sql.ref(source.id))}`);
  return sql.join(parts, sql``);
}

/**
 * The column or condition of a filter. A filter by several values, such as `states`, uses the column of its single value, `state`.
 * A range of `amount` uses the column by which the list is sorted or summed.
 *
 * @throws Error if the list shows an amount, but the source does not declare its column
 */
export function columnOf(
  { filters, amount, sort, sums }: ListSource,
  filter: Filter,
): ListSource['filters'][string] | undefined {
  const { field, kind } = filter;
  if (kind !== 'min' && kind !== 'max') return filters[singleField(filter)];
  const column = amount ?? sort?.['amount'] ?? sums?.fields['amount'];
  if (column === undefined) throw new Error(`the source of the list does not declare the column of ${field}`);
  return column;
}

/** The value of a filter, or all of its values. */
export const filterValue = ({ type }: Filter, value: string | number): string | number | number[] =>
  type === 'ints' ? String(value).split(',').map(Number) : value;

/** Whether the filter is an account prefix, such as `abc*`. */
export const isAccountPrefix = ({ field, kind }: Filter, value: unknown): boolean =>
  field === 'account' && kind === 'part' && String(value).endsWith('*');

/** The account by the user's id, without a join: PostgreSQL probes the user index once per user. */
const hasAccount = (userColumn: string, scope: Scope, text: string): RawBuilder<unknown> =>
  sql`${sql.ref(userColumn)} = any(array(
    select x.id from users x where ${isAccount(sql.ref('x.account_key'), text)} and ${inListScope(scope, 'x.agent_id')}))`;

/**
 * A filter by the account of who decided, without regard to case. Outside the scope it has to be written as in the rows: there
 * is no index without regard to case, because its condition could not be used under row-level security.
 */
export const isOperator =
  (column: string) =>
  (account: string | number): RawBuilder<boolean> =>
    sql<boolean>`${sql.ref(column)} = any(array(
      select x.account from agent x where x.account_key = ${String(account).toLowerCase()}) || ${String(account)}::text)`;

/** Matches an account without regard to case, or its prefix if the text ends with `*`. */
export const isAccount = (column: RawBuilder<unknown>, text: string): RawBuilder<boolean> =>
  text.endsWith('*') ? hasPrefix(column, text) : sql<boolean>`${column} = ${text.toLowerCase()}`;

/**
 * Whether a text column has a prefix, given as `prefix*`. Uses byte-order operators, which are leakproof: unlike `like` they
 * can use an index under row-level security.
 */
export function hasPrefix(column: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  const prefix = text.slice(0, -1).toLowerCase();
  const end = prefixEnd(prefix);
  return sql<boolean>`(${column} ~>=~ ${prefix}${end === undefined ? sql`` : sql` and ${column} ~<~ ${end}`})`;
}

const CODE_POINT_MAX = 0x10_ff_ff;

/** The smallest text above all texts with this prefix, in UTF-8 byte order; undefined if there is none. */
function prefixEnd(text: string): string | undefined {
  const points = Array.from(text, (letter) => letter.codePointAt(0) ?? 0);
  while (points.at(-1) === CODE_POINT_MAX) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  // Skips the surrogate range U+D800 to U+DFFF, which UTF-8 cannot encode.
  return String.fromCodePoint(...points, last === 0xd7_ff ? 0xe0_00 : last + 1);
}

function condition(filter: Filter, column: RawBuilder<unknown>, scope: Scope, value: unknown): RawBuilder<unknown> {
  const text = String(value);
  // The second condition is redundant, but lets PostgreSQL use the partial index on rows with a value.
  if (filter.kind === 'has') return sql`${column} @> array[${value}]::text[] and ${column} <> '{}'`;
  if (filter.kind === 'prefix' || filter.kind === 'part') return isAccount(column, text);
  if (filter.kind === 'contains') return containsText(column, text);
  if (filter.kind === 'agent' || filter.kind === 'subtree') {
    return isOfAgents(filter.kind, column, scope, (key) => sql<boolean>`${key} = ${text.toLowerCase()}`);
  }
  if (filter.kind === 'any') return sql`${column} = any(${text.split(',').map(Number)}::int[])`;
  if (filter.kind === 'min') return sql`${column} >= ${text}::numeric`;
  if (filter.kind === 'max') return sql`${column} <= ${text}::numeric`;
  return sql`${column} = ${value}`;
}

/** Whether a text in lower case contains another. `abc*` asks for a prefix, `=abc` for all of it. */
export function containsText(column: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  if (text.endsWith('*')) return hasPrefix(column, text);
  const lower = text.toLowerCase();
  if (text.startsWith('=')) return sql<boolean>`${column} = ${lower.slice(1)}`;
  return sql<boolean>`position(${lower} in ${column}) > 0`;
}

/**
 * Whether an agent column is one of the agents whose account in lower case fulfils a condition.
 *
 * - `agent`: the agent itself and deleted ones that it succeeded
 * - `subtree`: also all agents below it. An agent outside the scope matches nothing, even above visible rows: a match would
 *   reveal the caller's superiors.
 */
export function isOfAgents(
  kind: 'agent' | 'subtree',
  column: RawBuilder<unknown>,
  scope: Scope,
  matches: (key: RawBuilder<unknown>) => RawBuilder<boolean>,
): RawBuilder<boolean> {
  const visible = inScope(scope, 'x.id');
  const ids =
    kind === 'agent'
      ? sql`select x.id from agent x where ${matches(sql.ref('x.shown_key'))} and ${visible}`
      : sql`select y.descendant from closure y join agent x on x.id = y.ancestor
          where ${matches(sql.ref('x.account_key'))} and x.deleted_at is null and ${visible}`;
  return sql<boolean>`${column} = any(array(${ids}))`;
}
