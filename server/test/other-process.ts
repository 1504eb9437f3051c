import { spawn } from 'node:child_process';
import { vi } from 'vitest';
import type { TestServer } from './server.ts';
import { nodeArguments } from '../../testing/program.ts';
import { findFreePort } from '../../testing/free-port.ts';

/** Another server process on the same database, started as in production. */
export interface OtherProcess {
  url: string;
  pid: number;
  /** Sends SIGTERM and resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Kills the process without a shutdown. */
  kill(): Promise<unknown>;
}

export async function startOtherProcess(server: TestServer, env: Record<string, string> = {}): Promise<OtherProcess> {
  const port = await findFreePort();
  const child = spawn(process.execPath, nodeArguments('server/src/programs/main.ts'), {
    env: {
      ...process.env,
      DATABASE_URL: server.urls.app,
      DATABASE_APP_URL: server.urls.app,
      PLATFORM_KEY: server.app.platform.key,
      PLATFORM_SECRET: server.app.platform.secret,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: server.auditDir,
      AUDIT_DIR: server.auditDir,
      LOG_LEVEL: 'fatal',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const url = `http://127.0.0.1:${port}`;
  const checkHealth = async (): Promise<void> => {
    if (!(await fetch(`${url}/healthz`)).ok) throw new Error('not yet');
  };
  await vi.waitFor(checkHealth, { timeout: 60_000, interval: 100 });
  return {
    url,
    pid: child.pid ?? 0,
    stop: () => {
      child.kill('SIGTERM');
      return exited;
    },
    kill: () => {
      child.kill('SIGKILL');
      return exited;
    },
  };
}
