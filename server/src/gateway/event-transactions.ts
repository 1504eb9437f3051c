import { type Db, inTransaction, runInScope, withRetries } from '../database/connect.ts';
import { inNestedTransaction } from '../database/rollback.ts';
import { DEFAULT_SCOPE, type PlatformScope } from './platform-scope.ts';

/** Maximum events per transaction, not counting ticks. Smaller in live mode, to keep row locks short. */
export const GROUP_MAX = { history: 100, live: 25 } as const;
export type Mode = keyof typeof GROUP_MAX;

/** The transactions in which the events of a call are applied. */
export interface EventTransactions {
  group: (work: (db: Db) => Promise<void>) => Promise<void>;
  single: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
  /** What the platform that reports the events may speak of. */
  scope: PlatformScope;
  /** Whether everything is rolled back at the end of the call. */
  isDryRun: boolean;
}

/** Transactions of the pool, each committed by itself. */
export const committedIn = (pool: Db, mode: Mode, scope: PlatformScope = DEFAULT_SCOPE): EventTransactions => ({
  scope,
  group: (work) => runInScope(pool, { kind: 'all' }, 0, work, mode === 'live' ? 'eventGroup' : 'write'),
  single: (work) => withRetries(() => inTransaction(pool, work)),
  isDryRun: false,
});

/** Transactions within that of `db`, whose caller rolls it back. */
export const nestedIn = (db: Db, scope: PlatformScope): EventTransactions => ({
  scope,
  group: (work) => inNestedTransaction(db, work),
  single: (work) => inNestedTransaction(db, work),
  isDryRun: true,
});
