import { openPool } from '../postgres/connect.ts';
import type { Db } from '../postgres/connect.ts';
import { readEnv } from './env.ts';

/**
 * Runs a check of the whole database as a command. Exit code 0: no difference; 1: differences; 2: the check could not run.
 *
 * @param name application name of the connection
 * @param check prints what it finds and returns whether there are no differences
 */
export async function runCheck(
  name: string,
  check: (db: Db, write: (line: string) => void) => Promise<boolean>,
): Promise<void> {
  const main = async (): Promise<number> => {
    const { databaseUrl: url } = readEnv(process.env);
    if (!url) throw new Error('DATABASE_URL is not set. Set it to the address of the database to check.');
    const settings = { 'app.scope': 'all', jit: 'off' };
    const { db, end } = openPool({ url, max: 1, name, settings, onError: () => undefined });
    try {
      return (await check(db, (line) => void process.stdout.write(`${line}\n`))) ? 0 : 1;
    } finally {
      await end();
    }
  };
  process.exitCode = await main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  });
}
