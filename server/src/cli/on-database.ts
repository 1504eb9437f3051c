import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError } from '../host/configuration-error.ts';
import { withClient } from '../database/client.ts';
import { startEmbedded } from '../embedded/embedded.ts';
import { checkGrant, checkSession, ensureLogin, readOrMakeLogin } from '../database/login.ts';
import { isEmpty } from '../database/migrate.ts';
import { findUnknownVariables } from '../programs/env-names.ts';
import { type Env, readEnv } from '../programs/env.ts';
import { waitForDatabase } from '../programs/wait-for-database.ts';
import { writeError } from './exit.ts';

/** `owner` connects as the owner of the database, `server` as the servers do. */
export type DatabaseRole = 'owner' | 'server';

/**
 * Runs a command on DATABASE_URL or on the PostgreSQL of DATA_DIR, which is started for the duration of the command if it is
 * not running.
 *
 * @param work gets the URL for the role
 * @throws Error if there is no database, or if it does not answer
 */
export async function onDatabase<T>(role: DatabaseRole, work: (url: string, env: Env) => Promise<T>): Promise<T> {
  const env = readEnv(process.env);
  if (env.databaseUrl === undefined && !existsSync(join(env.dataDir, 'postgres')))
    throw new ConfigurationError(
      `There is no database in ${env.dataDir}: set DATA_DIR or DATABASE_URL. 未找到数据库。`,
    );
  if (!existsSync(env.dataDir))
    throw new ConfigurationError(`DATA_DIR=${env.dataDir} does not exist: set it as for the service. 数据目录不存在。`);
  return onNewDatabase(role, async (url, own) => {
    await checkSchema(url);
    return work(url, own);
  });
}

/** @throws ConfigurationError for a database without the tables of an installation */
const checkSchema = (url: string): Promise<void> =>
  withClient(url, async (client) => {
    if (await isEmpty(client))
      throw new ConfigurationError(
        'The database is empty: start HengTai once, or correct DATABASE_URL. 数据库为空，请先启动一次或更正 DATABASE_URL。',
      );
  });

/** As `onDatabase`, but creates the PostgreSQL of DATA_DIR if there is none. */
export async function onNewDatabase<T>(role: DatabaseRole, work: (url: string, env: Env) => Promise<T>): Promise<T> {
  // Files of DATA_DIR are accessible to this account only.
  process.umask(0o077);
  const env = readEnv(process.env);
  for (const warning of findUnknownVariables(process.env)) writeError(warning);
  if (env.databaseUrl !== undefined) await waitForDatabase('DATABASE_URL', env.databaseUrl, { report: writeError });
  const embedded =
    env.databaseUrl === undefined ? await startEmbedded({ dataDir: env.dataDir, log: writeError }) : undefined;
  const ownerUrl = env.databaseUrl ?? embedded?.url ?? '';
  if (embedded !== undefined) endOnSignal(() => embedded.stop());
  try {
    return await work(role === 'owner' ? ownerUrl : await loginUrl(env, ownerUrl), env);
  } finally {
    await embedded?.stop();
  }
}

/** PostgreSQL is stopped first; without this the process would end at once. */
function endOnSignal(stop: () => Promise<void>): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.once(signal, () => void stop().finally(() => process.exit(128 + constants.signals[signal])));
}

async function loginUrl({ databaseAppUrl, dataDir }: Env, ownerUrl: string): Promise<string> {
  if (databaseAppUrl === undefined) return ensureLogin(ownerUrl, readOrMakeLogin(dataDir));
  await checkGrant(databaseAppUrl);
  // Behind a pooler that shares sessions a check could read no rows and find nothing wrong.
  await checkSession(databaseAppUrl);
  return databaseAppUrl;
}
