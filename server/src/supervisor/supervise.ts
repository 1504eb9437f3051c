import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startEmbedded } from '../db/embedded.ts';
import { openCluster } from '../db/postgres-files.ts';
import type { Env } from '../env.ts';
import { setup } from '../setup.ts';
import { keepChild, type Child } from './child.ts';
import { announce, type Login } from './greeting.ts';
import { takeLock } from './lock.ts';
import { readPlatformKey } from './platform-key.ts';

export interface SuperviseOptions {
  env: Env;
  /** Other programs than the product's own, for tests of the supervisor itself. */
  entries?: { server: string; simulator: string };
}

const HEALTHY_WITHIN = 60_000;
const FORMER_SERVER_WITHIN = 20_000;

/**
 * Runs the whole installation until it is told to end: PostgreSQL (unless DATABASE_URL names one), the server and the
 * simulator. What was started last ends first. Comes back only when everything is down.
 */
export async function supervise(options: SuperviseOptions): Promise<void> {
  const stops: (() => void | Promise<void>)[] = [];
  const stopping = new Promise<'stopping'>((resolve) => {
    const stop = (): void => resolve('stopping');
    // They stay, so that a second Ctrl-C does not cut the orderly end short.
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
    endWithNpm(stop);
  });
  const starting = start(options, stops);
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

async function start(
  { env, entries = ownEntries() }: SuperviseOptions,
  stops: (() => void | Promise<void>)[],
): Promise<void> {
  const cluster = openCluster(env.dataDir);
  const lock = await takeLock(cluster);
  stops.push(lock.release);
  const pidFile = join(cluster.dataDir, 'server.pid');
  const crashed = existsSync(pidFile);
  writeFileSync(pidFile, `${process.pid}\n`);
  stops.push(() => rmSync(pidFile, { force: true }));
  await waitForPort(env, crashed);

  const databaseUrl = env.databaseUrl ?? (await startDatabase(cluster.dataDir, stops));
  const first = await setup({
    databaseUrl,
    adminAccount: env.adminAccount,
    simulator: env.simulator,
    ...(env.adminPassword === undefined ? {} : { adminPassword: env.adminPassword }),
  });
  const login: Login = { ...first, account: env.adminAccount, simulator: env.simulator };
  const address = `http://${hostForUrl(env.host)}:${env.port}`;
  try {
    const shared = childEnv(env, cluster.dataDir);
    const server = keepChild('server', entries.server, { ...shared, DATABASE_URL: databaseUrl });
    stops.push(() => server.stop());
    await waitHealthy(address, server);
    if (env.simulator) {
      const simulator = keepChild('simulator', entries.simulator, { ...shared, PLATFORM_URL: address });
      stops.push(() => simulator.stop());
    }
  } catch (error) {
    // The first start's password is known to nobody else: it must not be lost with the failure.
    announce(undefined, login);
    throw error;
  }
  announce(address, login);
}

async function startDatabase(dataDir: string, stops: (() => void | Promise<void>)[]): Promise<string> {
  const database = await startEmbedded({ dataDir, log: (message) => console.error(message) });
  stops.push(() => database.stop());
  return database.url;
}

function ownEntries(): { server: string; simulator: string } {
  const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
  return import.meta.url.endsWith('.ts')
    ? { server: at('../main.ts'), simulator: at('../../../simulator/src/main.ts') }
    : { server: at('./main.js'), simulator: at('../../simulator/dist/main.js') };
}

/** What both children get. The password and the database are nothing that the simulator should know. */
function childEnv(env: Env, dataDir: string): NodeJS.ProcessEnv {
  const platform = readPlatformKey(env, dataDir);
  const { ADMIN_PASSWORD: _password, DATABASE_URL: _database, ...rest } = process.env;
  return {
    ...rest,
    HOST: env.host,
    PORT: String(env.port),
    DATA_DIR: dataDir,
    AUDIT_DIR: env.auditDir,
    PLATFORM_KEY: platform.key,
    PLATFORM_SECRET: platform.secret,
  };
}

/** An address that listens everywhere is reached on the loopback. */
function hostForUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/** Says clearly that the port is taken. After a crash it waits: the former server may still be draining. */
async function waitForPort(env: Env, crashed: boolean): Promise<void> {
  const until = Date.now() + (crashed ? FORMER_SERVER_WITHIN : 0);
  for (;;) {
    const problem = await tryPort(env);
    if (problem === undefined) return;
    if (problem === 'EADDRINUSE' && Date.now() < until) await sleep(200);
    else if (problem === 'EADDRINUSE') {
      throw new Error(`Port ${env.port} is in use on ${env.host}: set PORT to another one. 端口已被占用。`);
    } else throw new Error(`Cannot listen on ${env.host}:${env.port} (${problem}): check HOST and PORT.`);
  }
}

function tryPort(env: Env): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error) => resolve('code' in error ? String(error.code) : error.message));
    probe.listen(env.port, env.host, () => probe.close(() => resolve(undefined)));
  });
}

async function waitHealthy(address: string, server: Child): Promise<void> {
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
