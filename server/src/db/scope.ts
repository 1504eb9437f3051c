import { type RawBuilder, sql } from 'kysely';
import type { Scope } from './connect.ts';

/**
 * The rows' own condition: the column of the direct agent lies in the operator's tree. Every statement about rows that
 * belong to somebody carries it; row-level security says the same once more underneath.
 *
 * @param column a qualified column name written in the code, never input
 */
export function inScope(scope: Scope, column: string): RawBuilder<boolean> {
  if (scope.kind === 'all' || appScopingIsOff) return sql<boolean>`true`;
  return sql<boolean>`${sql.ref(column)} = any(${[...scope.ids]}::bigint[])`;
}

let appScopingIsOff = false;

/** For the one test that proves row-level security alone to be enough; nothing in the product calls it. */
export function withoutAppScoping(off: boolean): void {
  appScopingIsOff = off;
}
