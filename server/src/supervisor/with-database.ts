import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { startEmbedded } from '../postgres/embedded.ts';
import { ensureLogin, readOrMakeLogin } from '../postgres/login.ts';
import { findUnknownVariables } from '../programs/env-names.ts';
import { type Env, readEnv } from '../programs/env.ts';
import { nodeArguments } from '../core/node-arguments.ts';
import { waitForDatabase } from '../programs/wait-for-database.ts';

const OWNER = '--owner';
const USAGE = `Usage: with-database [${OWNER}] <program> [arguments]`;

/**
 * Runs a Node program with DATABASE_URL set, and returns its exit code. If DATABASE_URL is not set it uses the
 * PostgreSQL of DATA_DIR, and starts it for the duration of the program if necessary. The program gets the login of the
 * servers, or with --owner that of the owner.
 */
async function main(): Promise<number> {
  // Files of DATA_DIR are accessible to this account only.
  process.umask(0o077);
  const env = readEnv(process.env);
  const args = process.argv.slice(2);
  const asOwner = args[0] === OWNER;
  const [program, ...rest] = asOwner ? args.slice(1) : args;
  if (program === undefined) throw new Error(USAGE);
  for (const warning of findUnknownVariables(process.env)) console.warn(warning);
  const log = (message: string): void => console.error(message);
  if (env.databaseUrl !== undefined) await waitForDatabase('DATABASE_URL', env.databaseUrl, { report: log });
  const database = env.databaseUrl === undefined ? await startEmbedded({ dataDir: env.dataDir, log }) : undefined;
  const ownerUrl = env.databaseUrl ?? database?.url ?? '';
  const child = spawn(process.execPath, nodeArguments(program, rest), {
    stdio: 'inherit',
    env: {
      ...process.env,
      DATABASE_URL: asOwner ? ownerUrl : await loginUrl(env, ownerUrl),
      DATA_DIR: env.dataDir,
      AUDIT_DIR: env.auditDir,
    },
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (status, signal) => resolve(status ?? 128 + constants.signals[signal ?? 'SIGTERM']));
  });
  await database?.stop();
  return code;
}

const loginUrl = async ({ databaseAppUrl, dataDir }: Env, ownerUrl: string): Promise<string> =>
  databaseAppUrl ?? (await ensureLogin(ownerUrl, readOrMakeLogin(dataDir)));

try {
  process.exit(await main());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
