import { type Db, openPool } from '../database/connect.ts';
import { EXIT } from './exit.ts';

/**
 * Runs a check of the whole database.
 *
 * @param check prints what it finds, and returns whether there are no differences
 * @returns the exit code
 */
export async function runCheck(url: string, name: string, check: (db: Db) => Promise<boolean>): Promise<number> {
  const settings = { 'app.scope': 'all', jit: 'off' };
  // Two, because a rebuild of counters runs two transactions at once.
  const { db, end } = openPool({ url, max: 2, name, settings, onError: () => undefined });
  try {
    return (await check(db)) ? EXIT.done : EXIT.refused;
  } finally {
    await end();
  }
}
