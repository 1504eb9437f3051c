import { SEARCH_USERS_MAX } from '@hengtai/contract/search';
import type { SearchInput, SearchRow } from '@hengtai/contract/search.schema';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../core/context.ts';
import { inScope } from '../../postgres/scope.ts';

/** A table that the search looks through by id and by the number of the platform. */
export interface SearchedTable {
  /** A kind of target that is `searched`. */
  type: string;
  table: string;
  /** Column of another agent in whose scope a row is visible. */
  secondAgent?: string;
}

const ID = /^[1-9]\d{0,15}$/;
const idOf = (text: string): number | null => (ID.test(text) ? Number(text) : null);

/** Finds users by account or id and records by id or number in the operator's scope; one index lookup per table. */
export async function searchRecords(
  ctx: Ctx,
  tables: readonly SearchedTable[],
  { word: text }: SearchInput,
): Promise<SearchRow[]> {
  const id = idOf(text);
  const parts = tables.map((record) => selectRecords(ctx, record, id, text));
  const { rows } =
    await sql<SearchRow>`${selectUsers(ctx, id, text)} union all ${sql.join(parts, sql` union all `)}`.execute(ctx.db);
  return rows;
}

function selectUsers({ scope }: Ctx, id: number | null, text: string): RawBuilder<unknown> {
  const prefixPattern = `${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return sql`(select 'user' as type, u.id, null::text as no, u.account, u.state::integer as state, u.created_at as "createdAt"
    from users u
    where (u.id = ${id}::bigint or u.account_key like ${prefixPattern}) and u.deleted_at is null and ${inScope(scope, 'u.agent_id')}
    order by (u.id = ${id}::bigint) is true desc, u.account_key = lower(${text}) desc, u.account_key
    limit ${SEARCH_USERS_MAX})`;
}

/** The account is empty if the user is outside the operator's scope, as one side of a transfer may be. */
function selectRecords(
  { scope }: Ctx,
  { type, table, secondAgent }: SearchedTable,
  id: number | null,
  text: string,
): RawBuilder<unknown> {
  const isVisible = secondAgent
    ? sql`(${inScope(scope, 'x.agent_id')} or ${inScope(scope, secondAgent)})`
    : inScope(scope, 'x.agent_id');
  return sql`(select ${type}::text, x.id, x.no, coalesce(u.account, ''), x.state::integer, x.created_at
    from ${sql.table(table)} x left join users u on u.id = x.user_id and ${inScope(scope, 'u.agent_id')}
    where (x.id = ${id}::bigint or x.no = ${text}) and ${isVisible} limit 3)`;
}
