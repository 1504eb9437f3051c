import type { Filter } from '@hengtai/contract/list';
import { type RawBuilder, sql } from 'kysely';
import type { Scope } from './connect.ts';
import type { ListSource } from './list.ts';
import type { Asked, NamedAgents } from './rolled-target.ts';
import { inListScope, inScope, isAmong } from './scope.ts';

/** SQL conditions of the filters and times in the input, each beginning with ` and `. */
export function conditions(
  filters: readonly Filter[],
  source: ListSource,
  scope: Scope,
  { input, agents }: Asked,
): RawBuilder<unknown> {
  const values: Readonly<Record<string, unknown>> = { ...input };
  const active = filters.filter(({ field }) => values[field] !== undefined);
  const parts = active.flatMap((filter) => {
    const value = values[filter.field];
    const column = source.filters[filter.field];
    if (column === undefined) return [];
    if (isOfUsers(source, filter, value)) return [hasUserWithPrefix(active, source, scope, agents, String(value))];
    const columnRef = typeof column === 'string' ? sql.ref(column) : column;
    if (agents && isAgentFilter(filter)) return [sql` and ${isAmong(columnRef, agents.ids)}`];
    return [sql` and ${condition(filter, columnRef, scope, value)}`];
  });
  const createdAt = sql.ref(source.createdAt);
  if (input.from !== undefined) parts.push(sql` and ${createdAt} >= ${input.from}`);
  if (input.to !== undefined) parts.push(sql` and ${createdAt} <= ${input.to}`);
  return sql.join(parts, sql``);
}

const isAgentFilter = ({ kind }: Filter): boolean => kind === 'agent' || kind === 'subtree';

/** Whether the rollups have a dimension for this filter. Owner filters are handled separately. */
export const isCounted = (source: ListSource, { field }: Filter): boolean =>
  Object.hasOwn(source.rollup?.noun.dims ?? {}, field) || isMarket(source, { field });

export const isMarket = (source: ListSource, { field }: Pick<Filter, 'field'>): boolean =>
  field === 'marketId' && source.filters[field] === source.sums?.marketId;

/** Whether the filter is an account prefix (`abc*`) on rows that the rollups count by user. */
export const isOfUsers = ({ rollup }: ListSource, { field, kind }: Filter, value: unknown): boolean =>
  field === 'account' && kind === 'prefix' && rollup?.user !== undefined && String(value).endsWith('*');

/**
 * Restricts rows to the users whose accounts have a prefix. `= any(array(…))` makes PostgreSQL probe the user index once
 * per user, without a join. With a selective filter on another column, `in` lets the planner choose where to begin.
 */
function hasUserWithPrefix(
  active: readonly Filter[],
  source: ListSource,
  scope: Scope,
  agents: NamedAgents | undefined,
  text: string,
): RawBuilder<unknown> {
  const user = sql.ref(source.rollup?.user ?? '');
  const { users } = sidesOf(scope, agents, text);
  const isSelective = active.some(
    (filter) => filter.field !== 'account' && !isAgentFilter(filter) && !isCounted(source, filter),
  );
  return isSelective ? sql` and ${user} in (${users})` : sql` and ${user} = any(array(${users}))`;
}

/** Whether a user `x` belongs to the named agents, or to the scope if none are named. */
export const areOf = (scope: Scope, agents: NamedAgents | undefined): RawBuilder<unknown> =>
  agents ? isAmong(sql.ref('x.agent_id'), agents.ids) : inListScope(scope, 'x.agent_id');

/** Matches an account without regard to case, or its prefix if the text ends with `*`. */
export const isAccount = (column: RawBuilder<unknown>, text: string): RawBuilder<boolean> =>
  text.endsWith('*') ? begins(column, text) : sql<boolean>`${column} = ${text.toLowerCase()}`;

/** Divides the users of the agents into those with the account prefix and the others. */
export const sidesOf = (scope: Scope, agents: NamedAgents | undefined, text: string): Sides => {
  const key = sql.ref('x.account_key');
  const accounts = accountsOf(text);
  const hasAgent = areOf(scope, agents);
  const hasPrefix = lieIn(key, accounts);
  return {
    accounts,
    theirs: hasAgent,
    users: sql`select x.id from users x where ${hasPrefix} and ${hasAgent}`,
    others: sql`select x.id from users x where not ${hasPrefix} and ${hasAgent}`,
    usersBut: (but) => sql`select x.id from users x where ${hasPrefix} and not ${lieIn(key, but)} and ${hasAgent}`,
    isOne: (id, of = accounts) => sql`exists (select from users x where x.id = ${id} and ${lieIn(key, of)} offset 0)`,
  };
};

/** Users with an account prefix, and the other users of the same agents. */
export interface Sides {
  accounts: Accounts;
  /** Condition: a user `x` belongs to the agents. */
  theirs: RawBuilder<unknown>;
  /** Selects the ids of the users with the prefix. */
  users: RawBuilder<unknown>;
  /** Selects the ids of the other users. */
  others: RawBuilder<unknown>;
  /** Selects the ids of the users with the prefix, except those in a range of accounts. */
  usersBut: (but: Accounts) => RawBuilder<unknown>;
  /**
   * Condition: the user with this id has the prefix, or is in another range of accounts. `offset 0` keeps PostgreSQL from
   * turning the per-row lookup into a join.
   */
  isOne: (id: RawBuilder<unknown>, of?: Accounts) => RawBuilder<unknown>;
}

/** A half-open range of accounts in byte order: `from` inclusive, `past` exclusive or unbounded. */
export interface Accounts {
  from: string;
  past: string | undefined;
}

/** Uses byte-order operators, which are leakproof: unlike `like` they can use an index under row-level security. */
export const lieIn = (column: RawBuilder<unknown>, { from, past }: Accounts): RawBuilder<boolean> =>
  sql<boolean>`(${column} ~>=~ ${from}${past === undefined ? sql`` : sql` and ${column} ~<~ ${past}`})`;

/** The range of accounts with a prefix, given as `prefix*`. */
function accountsOf(text: string): Accounts {
  const from = text.slice(0, -1).toLowerCase();
  return { from, past: prefixEnd(from) };
}

/** Whether a text column has a prefix, given as `prefix*`. */
export const begins = (column: RawBuilder<unknown>, text: string): RawBuilder<boolean> =>
  lieIn(column, accountsOf(text));

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
  if (filter.kind === 'prefix') return isAccount(column, text);
  // An agent outside the scope matches nothing, even above visible rows: a match would reveal the caller's superiors.
  const isRoot = sql`x.account_key = ${text.toLowerCase()} and x.deleted_at is null and ${inScope(scope, 'x.id')}`;
  // Rows of a deleted agent are shown under its successor.
  if (filter.kind === 'agent') {
    return sql`${column} = any(array(select x.id from agent x
      where x.shown_key = ${text.toLowerCase()} and ${inScope(scope, 'x.id')}))`;
  }
  if (filter.kind === 'subtree') {
    return sql`${column} in (select y.descendant from closure y join agent x on x.id = y.ancestor
      where ${isRoot})`;
  }
  return sql`${column} = ${value}`;
}
