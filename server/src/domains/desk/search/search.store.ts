import { SEARCH_RECORDS_MAX, SEARCH_USERS_MAX } from '@hengtai/contract/desk/search/calls';
import type { SearchInput, SearchRow } from '@hengtai/contract/desk/search/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { readEverywhere } from '../../../destination/destination.ts';
import { findByAccountEnds, readAddressEnds } from '../../../books/lists/address-ends.ts';
import { isVisible } from '../../../database/scope.ts';

/** A table that the search looks through by id and by the number of the platform. */
export interface SearchedTable {
  /** A kind of target that is `isSearchable`. */
  type: string;
  table: string;
  /** Column of another agent in whose scope a row is visible. */
  secondAgent?: string;
  /** Column of the address; the search then looks for addresses and hashes. */
  addressColumn?: string;
}

/** Candidates for what is shown: the rows read again may be fewer, and the best of them come first. */
const CANDIDATES = 100;

const ID = /^[1-9]\d{0,15}$/;
const idOf = (text: string): number | null => (ID.test(text) ? Number(text) : null);

/**
 * Finds users by id, any part of account and remark, or IP of a login; records by id or number; recharges and withdrawals by an
 * end of address or hash, any text of the account, or a shortened one. The database's functions return candidates of the
 * operator's scope; the rows are read under its row-level security.
 */
export async function searchRecords(
  ctx: Ctx,
  tables: readonly SearchedTable[],
  { word: text }: SearchInput,
): Promise<SearchRow[]> {
  const id = idOf(text);
  const parts = tables.map((record) => selectRecords(ctx, record, id, text));
  const { rows } = await sql<SearchRow>`
    with by_end as materialized (select e.ref_type, e.id from find_by_ends(${text}, ${CANDIDATES}) e ${selectAccounts(ctx, tables, text)})
    ${selectUsers(ctx, id, text)} union all ${sql.join(parts, sql` union all `)}`.execute(ctx.db);
  return rows;
}

/** Candidates by the account: any of its texts, both ends of one, or the last four characters. */
function selectAccounts({ scope }: Ctx, tables: readonly SearchedTable[], text: string): RawBuilder<unknown> {
  const ends = readAddressEnds(text);
  const keys = readEverywhere(text).map(({ key }) => key);
  const ofAccount = tables
    .filter(({ addressColumn }) => addressColumn !== undefined)
    .map(
      ({ type, table }) => sql`union all (select ${type}::text, x.id from ${sql.table(table)} x
        where x.account_key = any(${keys}::text[]) and ${isVisible(scope, 'x.agent_id')} limit ${CANDIDATES})`,
    );
  const byEnds = ends ? [sql`union all select a.ref_type, a.id from ${findByAccountEnds(ends, CANDIDATES)} a`] : [];
  return sql.join([...byEnds, ...ofAccount], sql` `);
}

function selectUsers({ scope }: Ctx, id: number | null, text: string): RawBuilder<unknown> {
  return sql`(select 'user' as type, u.id, null::text as no, u.account, u.remark as detail, u.state::integer as state, u.created_at as "createdAt"
    from users u
    where u.id = any(array(select ${id}::bigint union all select find_users(${text}, true, ${CANDIDATES})
        union all select e.id from by_end e where e.ref_type = 'user'))
      and u.deleted_at is null and ${isVisible(scope, 'u.agent_id')}
    order by (u.id = ${id}::bigint) is true desc, u.account_key = lower(${text}) desc, starts_with(u.account_key, lower(${text})) desc, u.account_key
    limit ${SEARCH_USERS_MAX})`;
}

/** The account is empty if the user is outside the operator's scope, as one side of a transfer may be. */
function selectRecords(
  { scope }: Ctx,
  { type, table, secondAgent, addressColumn }: SearchedTable,
  id: number | null,
  text: string,
): RawBuilder<unknown> {
  const isInScope = secondAgent
    ? sql`(${isVisible(scope, 'x.agent_id')} or ${isVisible(scope, secondAgent)})`
    : isVisible(scope, 'x.agent_id');
  const isFound = addressColumn
    ? sql`x.no = ${text} or x.id = any(array(select ${id}::bigint union all select e.id from by_end e where e.ref_type = ${type}))`
    : sql`x.no = ${text} or x.id = ${id}::bigint`;
  return sql`(select ${type}::text, x.id, x.no, coalesce(u.account, ''), ${addressColumn ? sql.ref(addressColumn) : sql`''`}, x.state::integer, x.created_at
    from ${sql.table(table)} x left join users u on u.id = x.user_id and ${isVisible(scope, 'u.agent_id')}
    where (${isFound}) and ${isInScope} order by x.id desc limit ${SEARCH_RECORDS_MAX})`;
}
