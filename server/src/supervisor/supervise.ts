import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startEmbedded } from '../db/embedded.ts';
import { openCluster } from '../db/postgres-files.ts';
import type { Env } from '../env.ts';
import { setup } from '../setup.ts';
import { keepChild, nodeArguments, type Child } from './child.ts';
import { announce, type Login } from './greeting.ts';
import { takeLock } from './lock.ts';
import { readPlatformKey, type PlatformKey } from './platform-key.ts';

export type Stop = () => void | Promise<void>;

const HEALTHY_WITHIN = 60_000;
const FORMER_SERVER_WITHIN = 20_000;

/**
 * Runs the whole installation until it is told to end: PostgreSQL (unless DATABASE_URL names one), the server and the
 * simulator. What was started last ends first. Comes back only when everything is down.
 */
export async function supervise(env: Env): Promise<void> {
  await untilStopped(async (stops) => start(env, stops));
}

/** Runs `start` until a signal comes, and then what it has put on the list of stops, the last first. */
export async function untilStopped(start: (stops: Stop[]) => Promise<void>): Promise<void> {
  const stops: Stop[] = [];
  const stopping = new Promise<'stopping'>((resolve) => {
    const stop = (): void => resolve('stopping');
    // They stay, so that a second Ctrl-C does not cut the orderly end short.
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
    endWithNpm(stop);
  });
  const starting = start(stops);
  try {
    const ready = await Promise.race([starting, stopping]);
    if (ready !== 'stopping') await stopping;
  } finally {
    // What is still starting fails once PostgreSQL is gone below it, and that is no news any more.
    starting.catch(() => undefined);
    for (let stop = stops.pop(); stop; stop = stops.pop()) await stop();
  }
  process.exit(0);
}

async function start(env: Env, stops: Stop[]): Promise<void> {
  const { login, address, shared, databaseUrl } = await prepare(env, stops);
  const entries = ownEntries();
  const database = databaseEnv(env, databaseUrl);
  try {
    const servers: Child[] = [];
    stops.push(async () => void (await Promise.all(servers.map((server) => server.stop()))));
    for (const port of portsOf(env)) {
      const own = { ...shared, ...database, PORT: String(port) };
      const server = keepChild(`server on port ${port}`, nodeArguments(entries.server), own);
      servers.push(server);
      await waitHealthy(addressOf(env, port), server);
    }
    if (env.simulator) {
      const simulator = keepChild('simulator', nodeArguments(entries.simulator), shared);
      stops.push(() => simulator.stop());
    }
  } catch (error) {
    // The first start's password is known to nobody else: it must not be lost with the failure.
    announce(undefined, login);
    throw error;
  }
  announce(address, login);
}

export interface Prepared {
  databaseUrl: string;
  address: string;
  login: Login;
  /** The environment of the children. */
  shared: NodeJS.ProcessEnv;
}

/** Everything below the server: the lock, PostgreSQL, the first data, the key of the gateway. */
export async function prepare(env: Env, stops: Stop[]): Promise<Prepared> {
  const cluster = openCluster(env.dataDir);
  const lock = await takeLock(cluster);
  stops.push(lock.release);
  const pidFile = join(cluster.dataDir, 'server.pid');
  const crashed = existsSync(pidFile);
  writeFileSync(pidFile, `${process.pid}\n`);
  stops.push(() => rmSync(pidFile, { force: true }));
  for (const port of portsOf(env)) await waitForPort(env.host, port, crashed);
  const platform = readPlatformKey(env, cluster.dataDir);
  const databaseUrl = env.databaseUrl ?? (await startDatabase(cluster.dataDir, stops));
  const first = await setup({
    databaseUrl,
    adminAccount: env.adminAccount,
    adminPassword: env.adminPassword,
    simulator: env.simulator,
  });
  const address = addressOf(env, env.port);
  return {
    databaseUrl,
    address,
    login: { ...first, account: env.adminAccount, simulator: env.simulator },
    shared: childEnv(env, cluster.dataDir, platform, address),
  };
}

async function startDatabase(dataDir: string, stops: Stop[]): Promise<string> {
  const database = await startEmbedded({ dataDir, log: (message) => console.error(message) });
  stops.push(() => database.stop());
  return database.url;
}

export function ownEntries(): { server: string; simulator: string } {
  const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
  return import.meta.url.endsWith('.ts')
    ? { server: at('../main.ts'), simulator: at('../../../simulator/src/main.ts') }
    : { server: at('./main.js'), simulator: at('../../simulator/dist/main.js') };
}

/** What both children get. The password and the database are nothing that the simulator should know. */
function childEnv(env: Env, dataDir: string, platform: PlatformKey, address: string): NodeJS.ProcessEnv {
  const own = new Set(['ADMIN_PASSWORD', 'DATABASE_URL', 'DATABASE_APP_URL', 'DATABASE_READ_URL']);
  const rest = Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.has(name)));
  return {
    ...rest,
    HOST: env.host,
    PORT: String(env.port),
    DATA_DIR: dataDir,
    AUDIT_DIR: env.auditDir,
    PLATFORM_URL: address,
    PLATFORM_KEY: platform.key,
    PLATFORM_SECRET: platform.secret,
    PLATFORM_IS_SIMULATOR: env.simulator ? 'on' : 'off',
  };
}

export function databaseEnv(env: Env, databaseUrl: string): NodeJS.ProcessEnv {
  return {
    DATABASE_URL: databaseUrl,
    ...(env.databaseAppUrl === undefined ? {} : { DATABASE_APP_URL: env.databaseAppUrl }),
    ...(env.databaseReadUrl === undefined ? {} : { DATABASE_READ_URL: env.databaseReadUrl }),
  };
}

/** One server after the other has its port. */
const portsOf = (env: Env): number[] => Array.from({ length: env.processes }, (_, n) => env.port + n);

const addressOf = (env: Env, port: number): string => `http://${hostForUrl(env.host)}:${port}`;

/** An address that listens everywhere is reached on the loopback. */
function hostForUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/** Says clearly that the port is taken. After a crash it waits: the former server may still be draining. */
async function waitForPort(host: string, port: number, crashed: boolean): Promise<void> {
  const until = Date.now() + (crashed ? FORMER_SERVER_WITHIN : 0);
  for (;;) {
    const problem = await tryPort(host, port);
    if (problem === undefined) return;
    if (problem === 'EADDRINUSE' && Date.now() < until) await sleep(200);
    else if (problem === 'EADDRINUSE') {
      throw new Error(`Port ${port} is in use on ${host}: set PORT to another one. 端口已被占用。`);
    } else throw new Error(`Cannot listen on ${host}:${port} (${problem}): check HOST and PORT.`);
  }
}

function tryPort(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error) => resolve('code' in error ? String(error.code) : error.message));
    probe.listen(port, host, () => probe.close(() => resolve(undefined)));
  });
}

export async function waitHealthy(address: string, server: Child): Promise<void> {
  for (const until = Date.now() + HEALTHY_WITHIN; Date.now() < until; await sleep(100)) {
    if (server.deaths() > 0) throw new Error('The server does not start: see its messages above. 服务器启动失败。');
    const answer = await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.status === 200) return;
  }
  throw new Error(`The server does not become healthy within ${HEALTHY_WITHIN / 1000} s. 服务器启动超时。`);
}

/** Under `npm start` the end of npm, or of the shell it runs us in, is the end of the installation. */
function endWithNpm(stop: () => void): void {
  if (!process.env['npm_lifecycle_event']) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) stop();
  }, 250).unref();
}
