import { type RawBuilder, sql } from 'kysely';
import type * as ScopeModule from '../src/database/scope.ts';
import type { Scope } from '../src/database/connect.ts';

/** The layers of the scope that a test leaves active. */
export interface Layers {
  app: boolean;
}

/**
 * Replaces the conditions of `scope.ts` for tests that row-level security alone is sufficient: they are true while
 * `layers.app` is false. Fixed names of operators and grants stay limited by what the database shows.
 */
export function switchScopeLayer(real: typeof ScopeModule, layers: Layers): typeof ScopeModule {
  const whenActive =
    <A extends unknown[]>(condition: (...args: A) => RawBuilder<boolean>) =>
    (...args: A): RawBuilder<boolean> =>
      layers.app ? condition(...args) : sql<boolean>`true`;
  return {
    ...real,
    inScope: whenActive(real.inScope),
    inListScope: whenActive(real.inListScope),
    isVisible: whenActive(real.isVisible),
    isUserInScope: whenActive(real.isUserInScope),
    namedInScope: (scope: Scope, column: string) =>
      layers.app || scope.kind === 'all'
        ? real.namedInScope(scope, column)
        : sql`(select o.account from agent o where o.account_key = lower(${sql.ref(column)}) limit 1)`,
    isMarketGranted: (scope: Scope, operatorId: number, column: string) =>
      layers.app || scope.kind === 'all'
        ? real.isMarketGranted(scope, operatorId, column)
        : sql<boolean>`${sql.ref(column)} in (select granted.market_id from plan_grant granted)`,
  };
}
