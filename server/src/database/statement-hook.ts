import {
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type { Db } from './connect.ts';

/** Creates a handle on the connection of `db` that awaits `before` with the text of each statement it is about to send. */
export function withStatementHook(db: Db, before: (text: string) => Promise<void>): Db {
  const connection: DatabaseConnection = {
    executeQuery: async (query) => {
      await before(query.sql);
      return db.executeQuery(query) as Promise<never>;
    },
    streamQuery: () => {
      throw new Error('A hooked connection does not stream rows.');
    },
  };
  const driver = Object.assign(new DummyDriver(), { acquireConnection: () => Promise.resolve(connection) });
  return new Kysely<unknown>({
    dialect: {
      createDriver: () => driver,
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (own) => new PostgresIntrospector(own),
    },
  });
}

/**
 * The names that a statement has in the place of a table. Lists after a comma count as well, so a column may be among
 * them, but no table is missing.
 */
export function tablesIn(text: string): Set<string> {
  const place =
    /(?:\b(?:from|join|into|update|using|table)\b|,)[\s("]*(?:(?:only|lateral)\b[\s("]*)?(?:public"?\.)?"?([a-z_]\w*)/gi;
  return new Set(Array.from(text.matchAll(place), ([, name = '']) => name.toLowerCase()));
}
