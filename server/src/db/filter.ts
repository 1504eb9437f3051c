import type { Filter } from '@hengtai/contract/list';
import { type RawBuilder, sql } from 'kysely';
import type { Scope } from './connect.ts';
import type { ListSource } from './list.ts';
import type { Asked, NamedAgents } from './rolled-target.ts';
import { inListScope, inScope, isAmong } from './scope.ts';

/** The declared filters that were given, and the time, as conditions on a source's columns. */
export function conditions(
  filters: readonly Filter[],
  source: ListSource,
  scope: Scope,
  { input, agents }: Asked,
): RawBuilder<unknown> {
  const values: Readonly<Record<string, unknown>> = { ...input };
  const given = filters.filter(({ field }) => values[field] !== undefined);
  const found = given.flatMap((filter) => {
    const value = values[filter.field];
    const column = source.filters[filter.field];
    if (column === undefined) return [];
    if (isOfUsers(source, filter, value)) return [ofUsers(given, source, scope, agents, String(value))];
    const at = typeof column === 'string' ? sql.ref(column) : column;
    if (agents && isAgents(filter)) return [sql` and ${isAmong(at, agents.ids)}`];
    return [sql` and ${condition(filter, at, scope, value)}`];
  });
  const createdAt = sql.ref(source.createdAt);
  if (input.from !== undefined) found.push(sql` and ${createdAt} >= ${input.from}`);
  if (input.to !== undefined) found.push(sql` and ${createdAt} <= ${input.to}`);
  return sql.join(found, sql``);
}

const isAgents = ({ kind }: Filter): boolean => kind === 'agent' || kind === 'subtree';

/** Whether the rollups know a filter that does not say whose rows are asked for. */
export const isCounted = (source: ListSource, { field }: Filter): boolean =>
  Object.hasOwn(source.rollup?.noun.dims ?? {}, field) || isMarket(source, { field });

export const isMarket = (source: ListSource, { field }: Pick<Filter, 'field'>): boolean =>
  field === 'marketId' && source.filters[field] === source.sums?.marketId;

/** Whether the beginning of accounts is asked for, of rows that are counted. */
export const isOfUsers = ({ rollup }: ListSource, { field, kind }: Filter, value: unknown): boolean =>
  field === 'account' && kind === 'prefix' && rollup?.user !== undefined && String(value).endsWith('*');

/**
 * The rows of the users whose accounts begin so. They are looked for user by user in an index, for which nothing may be
 * joined to them, and which PostgreSQL does of an array alone; where something else is asked for that only few rows have,
 * it is left to PostgreSQL what to begin with.
 */
function ofUsers(
  given: readonly Filter[],
  source: ListSource,
  scope: Scope,
  agents: NamedAgents | undefined,
  text: string,
): RawBuilder<unknown> {
  const user = sql.ref(source.rollup?.user ?? '');
  const { users } = sidesOf(scope, agents, text);
  const isRare = given.some((filter) => filter.field !== 'account' && !isAgents(filter) && !isCounted(source, filter));
  return isRare ? sql` and ${user} in (${users})` : sql` and ${user} = any(array(${users}))`;
}

/** The users `x` of the named agents, or of the whole tree. */
export const areOf = (scope: Scope, agents: NamedAgents | undefined): RawBuilder<unknown> =>
  agents ? isAmong(sql.ref('x.agent_id'), agents.ids) : inListScope(scope, 'x.agent_id');

/** Whether a text is the one given, or begins so where that ends with `*`. */
export const isAccount = (column: RawBuilder<unknown>, text: string): RawBuilder<boolean> =>
  text.endsWith('*') ? begins(column, text) : sql<boolean>`${column} = ${text.toLowerCase()}`;

/** The users whose accounts begin so, and all others of these agents, as selects of their ids. */
export const sidesOf = (scope: Scope, agents: NamedAgents | undefined, text: string): Sides => {
  const key = sql.ref('x.account_key');
  const accounts = accountsOf(text);
  const theirs = areOf(scope, agents);
  const begin = lieIn(key, accounts);
  return {
    accounts,
    theirs,
    users: sql`select x.id from users x where ${begin} and ${theirs}`,
    others: sql`select x.id from users x where not ${begin} and ${theirs}`,
    usersBut: (but) => sql`select x.id from users x where ${begin} and not ${lieIn(key, but)} and ${theirs}`,
    isOne: (id, of = accounts) => sql`exists (select from users x where x.id = ${id} and ${lieIn(key, of)} offset 0)`,
  };
};

/** Users of whom rows are asked for, and the others. */
export interface Sides {
  accounts: Accounts;
  /** Whether a user `x` is of the agents concerned, whatever its account. */
  theirs: RawBuilder<unknown>;
  users: RawBuilder<unknown>;
  others: RawBuilder<unknown>;
  /** Its users but those of a stretch. */
  usersBut: (but: Accounts) => RawBuilder<unknown>;
  /** Whether a user, by its id, is one of them, or of another stretch of accounts: a condition that looks up each. */
  isOne: (id: RawBuilder<unknown>, of?: Accounts) => RawBuilder<unknown>;
}

/** A stretch of accounts in the order of their bytes: from, and below. */
export interface Accounts {
  from: string;
  past: string | undefined;
}

/** Asked of an index before row-level security is, which `like` is not. */
export const lieIn = (column: RawBuilder<unknown>, { from, past }: Accounts): RawBuilder<boolean> =>
  sql<boolean>`(${column} ~>=~ ${from}${past === undefined ? sql`` : sql` and ${column} ~<~ ${past}`})`;

/** All that begin as a text that ends with `*`. */
function accountsOf(text: string): Accounts {
  const from = text.slice(0, -1).toLowerCase();
  return { from, past: after(from) };
}

/** Whether a text begins as one that ends with `*`. */
export const begins = (column: RawBuilder<unknown>, text: string): RawBuilder<boolean> =>
  lieIn(column, accountsOf(text));

const LAST = 0x10_ff_ff;

/** The first text behind all that begin so, in the order of UTF-8; undefined where there is none. */
function after(text: string): string | undefined {
  const points = Array.from(text, (letter) => letter.codePointAt(0) ?? 0);
  while (points.at(-1) === LAST) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  // No text has a half of what UTF-16 writes as two.
  return String.fromCodePoint(...points, last === 0xd7_ff ? 0xe0_00 : last + 1);
}

function condition(filter: Filter, column: RawBuilder<unknown>, scope: Scope, value: unknown): RawBuilder<unknown> {
  const text = String(value);
  // The second half says nothing new, but an index of the few rows that have anything is used by it.
  if (filter.kind === 'has') return sql`${column} @> array[${value}]::text[] and ${column} <> '{}'`;
  if (filter.kind === 'prefix') return isAccount(column, text);
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
