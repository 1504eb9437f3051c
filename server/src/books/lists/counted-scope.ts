import type { Filter, PageInput } from '@hengtai/contract/wire/list';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../app/context.ts';
import { inScope } from '../../database/scope.ts';
import { isAccount, isAccountPrefix } from './filter.ts';
import type { ListSource } from './source.ts';

export type Reader = Pick<Ctx, 'db' | 'scope' | 'operator'>;

/** Owner filters name the scope; an account prefix does not. */
export const isScopeFilter = (filter: Filter, value: unknown): boolean =>
  ['account', 'userId', 'agent', 'agentRoot'].includes(filter.field) && !isAccountPrefix(filter, value);

interface ScopeOfList {
  /** In the counter tables: 1 is an agent's tree, 2 the rows shown under an agent, 3 a user. */
  kind: 1 | 2 | 3;
  /** SQL of the key; null if nobody in the operator's scope is named so. */
  key: RawBuilder<unknown>;
  /** The pending deltas; by default those that row-level security shows. */
  deltas?: RawBuilder<unknown>;
  /** Condition of the deltas that belong to the scope. */
  pending: RawBuilder<unknown>;
}

/** The scope whose rows are listed: a user, the rows shown under an agent, or an agent's tree; by default the operator's. */
export function findScope({ scope, operator }: Reader, source: ListSource, input: PageInput): ScopeOfList {
  const values: Readonly<Record<string, string | number | undefined>> = { ...input };
  const text = (field: string): string | undefined =>
    values[field] === undefined || source.filters[field] === undefined
      ? undefined
      : String(values[field]).toLowerCase();
  const [account, userId, agent, root] = ['account', 'userId', 'agent', 'agentRoot'].map(text);
  const isBelow = (column: string): RawBuilder<unknown> =>
    root === undefined
      ? sql`true`
      : sql`exists (select from closure c join agent r on r.id = c.ancestor where c.descendant = ${sql.ref(column)}
          and r.account_key = ${root} and r.deleted_at is null and ${inScope(scope, 'r.id')})`;
  if (account !== undefined || userId !== undefined) {
    const isShown =
      agent === undefined
        ? sql`true`
        : sql`exists (select from agent a where a.id = u.agent_id and a.shown_key = ${agent})`;
    return {
      kind: 3,
      key: sql`(select u.id from users u where ${account === undefined ? sql`true` : isAccount(sql.ref('u.account_key'), account)}
        and ${userId === undefined ? sql`true` : sql`u.id = ${userId}::bigint`} and ${inScope(scope, 'u.agent_id')}
        and ${isShown} and ${isBelow('u.agent_id')})`,
      deltas: sql`deltas_of_user(${sql.lit(source.counted?.resource ?? 0)}::smallint, (select key from target))`,
      pending: sql`true`,
    };
  }
  if (agent !== undefined) {
    return {
      kind: 2,
      key: sql`(select x.id from agent x where x.account_key = ${agent} and x.shown_key = ${agent} and ${inScope(scope, 'x.id')}
        and ${isBelow('x.id')})`,
      pending: sql`agent_key in (select a.id from agent a where a.shown_key = ${agent})`,
    };
  }
  const key =
    root !== undefined
      ? sql`(select x.id from agent x where x.account_key = ${root} and x.deleted_at is null and ${inScope(scope, 'x.id')})`
      : scope.kind === 'all'
        ? sql`(select x.id from agent x where x.parent_id is null)`
        : sql`${operator.id}::bigint`;
  return {
    kind: 1,
    key,
    pending: sql`agent_key in (select c.descendant from closure c where c.ancestor = (select key from target))`,
  };
}
