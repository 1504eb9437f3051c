import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Running } from './process.ts';

export const PLATFORM = { key: 'drill-key', secret: 'drill-secret' } as const;
export const ADMIN = { account: 'admin', password: 'drill-Password-7261' } as const;
const OTP_KEY = randomBytes(32).toString('hex');
const root = fileURLToPath(new URL('../..', import.meta.url));
/** The built command line. */
const HENGTAI = join(root, 'server/dist/hengtai.js');

export interface Server {
  running: Running;
  env: NodeJS.ProcessEnv;
  port: number;
}

/** Starts an installation on a database and waits until it serves. */
export async function startServer(dataDir: string, port: number, database: NodeJS.ProcessEnv): Promise<Server> {
  const env = {
    ...database,
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: dataDir,
    AUDIT_DIR: join(dataDir, 'audit'),
    SIMULATOR: 'off',
    ADMIN_PASSWORD: ADMIN.password,
    PLATFORM_KEY: PLATFORM.key,
    PLATFORM_SECRET: PLATFORM.secret,
    OTP_KEY,
    LOG_LEVEL: 'warn',
  };
  const args = [HENGTAI, 'start'];
  const running = new Running({ command: process.execPath, args, env, log: `${dataDir}.log` });
  const isReady = async (): Promise<boolean> =>
    (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.status === 200;
  await running.wait(isReady, 90);
  return { running, env, port };
}

/** Runs `hengtai verify` and prints what it says. @returns whether everything agrees */
export function verify({ env }: Server): boolean {
  try {
    const options = { env: { PATH: process.env['PATH'], ...env }, encoding: 'utf8' } as const;
    console.log(execFileSync(process.execPath, [HENGTAI, 'verify'], options).trimEnd());
    return true;
  } catch (error) {
    console.error(error instanceof Error && 'stdout' in error ? String(error.stdout) : error);
    return false;
  }
}
