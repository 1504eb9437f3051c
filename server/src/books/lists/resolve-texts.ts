import { type Filter, type ListSpec, type PageInput, filtersOf } from '@hengtai/contract/wire/list';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../app/context.ts';
import { refusals } from '@hengtai/contract/wire/refusals';
import { refuse } from '../../app/refuse.ts';
import { readEverywhere } from '../../destination/destination.ts';
import { inListScope, inScope, opaqueArray } from '../../database/scope.ts';
import { ENDS_LENGTH_MIN, findByAccountEnds, readAddressEnds } from './address-ends.ts';
import { containsText, isOfAgents } from './filter.ts';
import type { ListSource } from './source.ts';

/** More users are not looked up in advance: the statements of the list select them. */
const USERS_MAX = 20_000;

interface Resolved {
  source: ListSource;
  input: PageInput;
}

/** The most rows that are looked for by the ends of an address or hash. */
const ENDS_ROWS_MAX = 5_000;

/**
 * Replaces parts of accounts, and ends of addresses and hashes, in the filters by what they find within the scope. A single
 * user or agent is filtered by its account, with its counters; several are a condition of the source. Of several users an
 * exact match comes first unless the input orders the rows; an agent whose account matches exactly is the only one.
 *
 * @throws Refused 422 if too many addresses or hashes begin or end so
 */
export async function resolveTexts(
  ctx: Pick<Ctx, 'db' | 'scope'>,
  spec: ListSpec,
  source: ListSource,
  input: PageInput,
): Promise<Resolved> {
  const values: Readonly<Record<string, string | number | undefined>> = { ...input };
  let resolved: Resolved = { source, input };
  for (const filter of filtersOf(spec)) {
    const value = values[filter.field];
    if (filter.kind === 'part' && typeof value === 'string' && !value.endsWith('*'))
      resolved = await resolvePart(ctx, resolved, filter, value);
    if ((filter.kind === 'agent' || filter.kind === 'subtree') && typeof value === 'string')
      resolved = await resolveAgents(ctx, resolved, filter.kind, filter.field, value);
    if (filter.kind === 'ends' && typeof value === 'string') {
      const ofAccount =
        filter.field === 'address'
          ? ((await resolveAccount(ctx, resolved, filter, value)) ??
            (await resolveShortened(ctx, resolved, filter, value)))
          : undefined;
      resolved = ofAccount ?? (await resolveEnds(ctx, resolved, filter, value));
    }
  }
  return resolved;
}

async function resolvePart(
  ctx: Pick<Ctx, 'db' | 'scope'>,
  { source, input }: Resolved,
  { field }: Filter,
  text: string,
): Promise<Resolved> {
  const withAccount = (account: string): Resolved => ({ source, input: { ...input, [field]: account } });
  if (text.startsWith('=')) return withAccount(text.slice(1));
  const users = await findUsers(ctx, text);
  if (users.length === 0) return withAccount(text);
  if (users.length === 1 && users[0]) return withAccount(users[0].account);
  const column = userColumnOf(source, field);
  const exact = users.find(({ isExact }) => isExact);
  const isFound = sql<boolean>`${column} = any(${
    users.length > USERS_MAX ? sql`array(${selectUsers(ctx, text)})` : opaqueArray(users.map(({ id }) => id))
  })`;
  return {
    source: {
      ...source,
      where: sql<boolean>`${source.where ?? sql`true`} and ${isFound}`,
      isUncounted: true,
      ...(exact && input.sort === undefined && { first: sql`${column} = ${exact.id}::bigint` }),
    },
    input: { ...input, [field]: undefined },
  };
}

async function resolveAgents(
  { db, scope }: Pick<Ctx, 'db' | 'scope'>,
  { source, input }: Resolved,
  kind: 'agent' | 'subtree',
  field: string,
  text: string,
): Promise<Resolved> {
  const withAccount = (account: string): Resolved => ({ source, input: { ...input, [field]: account } });
  if (text.startsWith('=')) return withAccount(text.slice(1));
  const matches = (key: RawBuilder<unknown>) => containsText(key, text);
  const { rows } = await sql<{ count: number; isExact: boolean | null; account: string | null }>`
    select count(*) as count, bool_or(x.account_key = lower(${text})) as "isExact", min(x.account) as account
    from agent x where ${matches(sql.ref('x.account_key'))} and x.deleted_at is null and ${inScope(scope, 'x.id')}`.execute(
    db,
  );
  const [found] = rows;
  if (!found || found.account === null || found.isExact) return withAccount(text);
  if (found.count === 1) return withAccount(found.account);
  const isFound = isOfAgents(kind, columnFor(source, field), scope, matches);
  return {
    source: { ...source, where: sql<boolean>`${source.where ?? sql`true`} and ${isFound}`, isUncounted: true },
    input: { ...input, [field]: undefined },
  };
}

/** The column of a filter that is not a condition of its own. */
function columnFor({ filters }: ListSource, field: string): RawBuilder<unknown> {
  const column = filters[field];
  if (column === undefined || typeof column === 'function')
    throw new Error(`the source of the list does not declare the column of ${field}`);
  return typeof column === 'string' ? sql.ref(column) : column;
}

/** The rows of an account whose address the text is, whatever their spelling; undefined if there are none. */
async function resolveAccount(
  { db }: Pick<Ctx, 'db'>,
  { source, input }: Resolved,
  { field }: Filter,
  text: string,
): Promise<Resolved | undefined> {
  if (source.account === undefined) return undefined;
  const keys = readEverywhere(text).map(({ key }) => key);
  const isFound = sql<boolean>`${sql.ref(source.account)} = any(${keys}::text[])`;
  const { rows } = await sql`select 1 from ${source.from} where ${isFound} limit 1`.execute(db);
  if (rows.length === 0) return undefined;
  const where = sql<boolean>`${source.where ?? sql`true`} and ${isFound}`;
  return { source: { ...source, where, isUncounted: true }, input: { ...input, [field]: undefined } };
}

/**
 * The rows of the accounts with an address of this shortened form or with these last characters; undefined for other texts.
 *
 * @throws Refused 422 if there are too many
 */
async function resolveShortened(
  { db }: Pick<Ctx, 'db'>,
  { source, input }: Resolved,
  { field }: Filter,
  text: string,
): Promise<Resolved | undefined> {
  const ends = readAddressEnds(text);
  if (!ends || source.account === undefined) return undefined;
  const { rows } = await sql<{ id: number }>`
    select e.id from ${findByAccountEnds(ends, ENDS_ROWS_MAX + 1)} e where e.ref_type = ${source.ends}`.execute(db);
  if (rows.length > ENDS_ROWS_MAX) throw refuse(refusals.listTooBroad);
  const isFound = sql<boolean>`${sql.ref(source.id)} = any(${opaqueArray(rows.map(({ id }) => id))})`;
  const where = sql<boolean>`${source.where ?? sql`true`} and ${isFound}`;
  return { source: { ...source, where, isUncounted: true }, input: { ...input, [field]: undefined } };
}

/** A whole address that many rows share is left to the filter, which has an index for it. */
async function resolveEnds(
  { db }: Pick<Ctx, 'db'>,
  { source, input }: Resolved,
  { field }: Filter,
  text: string,
): Promise<Resolved> {
  if (text.length < ENDS_LENGTH_MIN) return { source, input };
  const name = source.filters[field];
  if (typeof name !== 'string') throw new Error(`the source of the list does not declare the column of ${field}`);
  const column = sql.ref(name);
  const { rows } = await sql<{ id: number }>`
    select distinct e.id from find_by_ends(${text}, ${ENDS_ROWS_MAX + 1}) e where e.ref_type = ${source.ends}`.execute(
    db,
  );
  if (rows.length > ENDS_ROWS_MAX) {
    const { rows: whole } = await sql`select 1 from ${source.from} where ${column} = ${text} limit 1`.execute(db);
    if (whole.length === 0) throw refuse(refusals.listTooBroad);
    return { source, input };
  }
  const isFound = sql<boolean>`${sql.ref(source.id)} = any(${opaqueArray(rows.map(({ id }) => id))})
    and lower(${text}) in (left(lower(${column}), length(${text})), right(lower(${column}), length(${text})))`;
  return {
    source: { ...source, where: sql<boolean>`${source.where ?? sql`true`} and ${isFound}`, isUncounted: true },
    input: { ...input, [field]: undefined },
  };
}

/** The column of the user's id beside a filter by account. */
function userColumnOf({ filters, counted }: ListSource, field: string): RawBuilder<unknown> {
  const column = filters[field];
  if (counted) return sql.ref(counted.user);
  if (typeof column !== 'string') throw new Error(`the source of the list does not declare the column of ${field}`);
  return sql.ref(column.replace(/account_key$/, 'id'));
}

interface FoundUser {
  id: number;
  account: string;
  isExact: boolean;
}

async function findUsers({ db, scope }: Pick<Ctx, 'db' | 'scope'>, text: string): Promise<FoundUser[]> {
  const { rows } = await sql<FoundUser>`
    select u.id, u.account, coalesce(u.account_key = lower(${text}), false) as "isExact" from users u
    where u.id = any(array(select find_users(${text}, false, ${USERS_MAX + 1}))) and ${inListScope(scope, 'u.agent_id')}`.execute(
    db,
  );
  return rows;
}

const selectUsers = ({ scope }: Pick<Ctx, 'scope'>, text: string): RawBuilder<unknown> =>
  sql`select x.id from users x where position(lower(${text}) in x.account_key) > 0 and ${inListScope(scope, 'x.agent_id')}`;
