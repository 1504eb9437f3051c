import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PLATFORM_BASE, signedText } from '@hengtai/contract/gateway/gateway';
import { API_BASE } from '@hengtai/contract/wire/endpoint';
import type { Envelope } from '@hengtai/contract/wire/envelope';
import type { LoginData } from '@hengtai/contract/house/session/schema';
import { createHmac } from 'node:crypto';
import type { BenchDatabase } from './database.ts';
import { Connection, request } from './http.ts';

export const PLATFORM = { key: 'bench', secret: 'bench-secret', simulated: false } as const;

/** The built server. Running the sources would measure their translation, and lacks the hashing thread. */
export const BUILT_SERVER = 'server/dist/main.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const STARTS_WITHIN_MS = 30_000;

export interface RunningServer {
  port: number;
  pid: number;
  stop(): Promise<void>;
}

/** Starts the server with its jobs in a child process, which also ends if this process dies. */
export async function startServer(
  database: BenchDatabase,
  extraEnv: Record<string, string> = {},
  entry = 'server/src/programs/main.ts',
): Promise<RunningServer> {
  const port = await findFreePort();
  const child = startProcess(entry, {
    DATABASE_URL: database.appUrl,
    PLATFORM_KEY: PLATFORM.key,
    PLATFORM_SECRET: PLATFORM.secret,
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: database.directory,
    ...extraEnv,
  });
  await waitUntilReady(child, port, '/healthz');
  return { port, pid: child.pid ?? 0, stop: () => stopProcess(child) };
}

/** Starts the baseline: Fastify and pg with only the given statements (see bare.ts). */
export async function startBare(config: object): Promise<RunningServer> {
  const port = await findFreePort();
  const child = startProcess('bench/lib/bare.ts', { PORT: String(port) });
  child.send(config);
  await waitUntilReady(child, port, '/ready');
  return { port, pid: child.pid ?? 0, stop: () => stopProcess(child) };
}

function startProcess(entry: string, env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [...(entry.endsWith('.ts') ? ['--import', 'tsx'] : []), entry], {
    cwd: root,
    env: { PATH: process.env['PATH'], TZ: 'UTC', ...env },
    // The server logs every request, as in an installation.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

async function waitUntilReady(child: ChildProcess, port: number, path: string): Promise<void> {
  const deadline = Date.now() + STARTS_WITHIN_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    const connection = await Connection.open(port).catch(() => undefined);
    const response = await connection?.send(request('GET', path, {})).catch(() => undefined);
    connection?.close();
    if (response?.status === 200) return;
    await sleep(50);
  }
  await stopProcess(child);
  throw new Error(`The process on port ${port} did not answer ${path} within ${STARTS_WITHIN_MS} ms.`);
}

export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** Sends one call that is not measured. Throws unless status and code are 200. */
export async function callOnce(port: number, bytes: string): Promise<Envelope> {
  const connection = await Connection.open(port);
  try {
    const { status, body } = await connection.send(bytes);
    const envelope = JSON.parse(body) as Envelope;
    if (status !== 200 || envelope.code !== 200) throw new Error(`${status} ${body.slice(0, 300)}`);
    return envelope;
  } finally {
    connection.close();
  }
}

export async function fetchToken(port: number, account: string, password: string): Promise<string> {
  return (await logIn(port, { account, password })).token;
}

/** A session as the console stores it. */
export interface Session extends Pick<LoginData, 'admin' | 'planSet' | 'expire'> {
  token: string;
}

export async function logIn(port: number, credentials: { account: string; password: string }): Promise<Session> {
  const { token, data } = await callOnce(port, request('POST', `${API_BASE}login`, {}, JSON.stringify(credentials)));
  if (token === undefined) throw new Error(`The login of ${credentials.account} returned no token.`);
  return { ...(data as LoginData), token };
}

/** The request of a signed batch of events. */
export function eventsRequest(events: readonly object[]): string {
  const path = `${PLATFORM_BASE}events`;
  const body = JSON.stringify(events);
  const time = String(Date.now());
  const signature = createHmac('sha256', PLATFORM.secret)
    .update(signedText(time, 'POST', path, body))
    .digest('hex');
  return request('POST', path, { 'x-key': PLATFORM.key, 'x-time': time, 'x-signature': signature }, body);
}
