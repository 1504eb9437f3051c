import { sql } from 'kysely';
import { type Db, runInScope } from './connect.ts';

/** Ends a transaction that has done its work but must leave nothing. */
class RollBack extends Error {
  override name = 'RollBack';
}

/**
 * Runs `work` with full scope in a transaction that is always rolled back. It waits only shortly for locked rows, because it
 * may hold many.
 */
export async function withRollback<T>(pool: Db, work: (db: Db) => Promise<T>): Promise<T> {
  const done: T[] = [];
  const run = async (db: Db): Promise<void> => {
    done.push(await work(db));
    throw new RollBack();
  };
  try {
    await runInScope(pool, { kind: 'all' }, 0, run, 'eventGroup');
  } catch (error) {
    if (!(error instanceof RollBack)) throw error;
  }
  return done[0] as T;
}

/** Runs `work` as a transaction within that of `db`: if it throws, only its own changes are rolled back. */
export async function inNestedTransaction<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  await sql`savepoint nested`.execute(db);
  try {
    const result = await work(db);
    await sql`release savepoint nested`.execute(db);
    return result;
  } catch (error) {
    await sql`rollback to savepoint nested`.execute(db);
    await sql`release savepoint nested`.execute(db);
    throw error;
  }
}
