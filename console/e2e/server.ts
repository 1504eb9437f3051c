import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const READY_TIMEOUT_MS = 90_000;

/** The admin of the browser tests. The simulator adds a second operator with the same password. */
export const admin = { account: 'admin', password: 'Browser-tests-1' };
export const secondOperator = { account: 'fuhe', password: admin.password };

/** Gateway credentials with which tests send events as the platform. */
export const platform = { key: 'browser-tests', secret: 'browser-tests-secret' };

/** Base URL of the installation under test, for calls outside a page. */
export function baseUrl(): string {
  return process.env['E2E_BASE_URL'] ?? '';
}

export interface Installation {
  url: string;
  stop: () => Promise<void>;
}

/** Starts the built product on a free port with an empty data directory; throws if it is not built or not ready. */
export async function startInstallation(env: Record<string, string>): Promise<Installation> {
  const program = fileURLToPath(new URL('../../server/dist/hengtai.js', import.meta.url));
  if (!existsSync(program)) throw new Error('The browser tests run the built product: run npm run build first.');
  const dataDir = mkdtempSync(join(tmpdir(), 'hengtai-e2e-'));
  const port = await findFreePort();
  const child = spawn(process.execPath, ['--enable-source-maps', program, 'start'], {
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: String(port),
      HOST: '127.0.0.1',
      ADMIN_ACCOUNT: admin.account,
      ADMIN_PASSWORD: admin.password,
      LOG_LEVEL: 'warn',
      PLATFORM_KEY: platform.key,
      PLATFORM_SECRET: platform.secret,
      DATABASE_URL: '',
      npm_lifecycle_event: '',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
    rmSync(dataDir, { recursive: true, force: true });
  };
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!output.includes('HengTai is running')) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`The installation under test did not start:\n${output}`);
    }
    await sleep(100);
  }
  return { url: `http://127.0.0.1:${port}`, stop };
}

/** Global set-up: starts the shared installation with the simulator; returns the function that stops it. */
export default async function setup(): Promise<() => Promise<void>> {
  const { url, stop } = await startInstallation({
    SIMULATOR: 'on',
    SIMULATOR_SEED: 'browser',
    // Few users, of whom the history already has rows of each kind.
    SIMULATOR_USERS: '220',
    SIMULATOR_DAYS: '10',
    // The speed shortens the answers of the exchange, but each of its prices and events costs the tests CPU time.
    SIMULATOR_SPEED: '1.5',
  });
  process.env['E2E_BASE_URL'] = url;
  return stop;
}

export interface QuietInstallation extends Installation {
  /** Port on loopback to which messages may be sent. */
  channelPort: number;
}

/** Starts an installation without a simulator, where more than five rows are exported in the background. */
export async function startQuietInstallation(): Promise<QuietInstallation> {
  const channelPort = await findFreePort();
  const installation = await startInstallation({
    SIMULATOR: 'off',
    CHANNEL_HOSTS: `127.0.0.1:${channelPort}`,
    CHANNEL_PRIVATE: 'on',
    PUBLIC_URL: 'http://127.0.0.1',
    EXPORT_JOB_ROWS: '5',
    EXPORT_ROWS_PER_SECOND: '1',
  });
  return { ...installation, channelPort };
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
